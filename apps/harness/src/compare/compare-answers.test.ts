import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAnswers, compareBeginnings, describeDifference } from './compare-answers.ts'
import type { Answer } from './normalize-answer.ts'

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function started(id: string): string {
  return eventText('message_start', { type: 'message_start', message: { id, type: 'message', content: [] } })
}

function delta(text: string): string {
  return eventText('content_block_delta', {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  })
}

const STOP = eventText('message_stop', { type: 'message_stop' })
const PING = eventText('ping', { type: 'ping' })

function streamed(texts: readonly string[], ended: Answer['ended'] = 'clean'): Answer {
  return {
    status: 200,
    headers: EVENT_STREAM,
    chunks: texts.map((text) => ({ bytes: Buffer.from(text) })),
    ended,
  }
}

function json(value: unknown, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    chunks: [{ bytes: Buffer.from(JSON.stringify(value)) }],
    ended: 'clean',
  }
}

test('ids of the message, pings, comments and the sizes of chunks make no difference', () => {
  const one = streamed([started('msg_1'), delta('Hello'), STOP])
  const other = streamed([PING, `${started('msg_22')}: alive\n\n`, PING, delta('Hello') + STOP])
  expect(compareAnswers(one, other)).toBeUndefined()
})

test('the order of keys and the request id of an error make no difference', () => {
  const one = json({ type: 'error', error: { type: 'api_error', message: 'no' }, request_id: 'req_1' }, 500)
  const other = json({ request_id: 'req_2', error: { message: 'no', type: 'api_error' }, type: 'error' }, 500)
  expect(compareAnswers(one, other)).toBeUndefined()
})

function withCall(message: string, id: string): Answer {
  return json({ id: message, type: 'message', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] })
}

test('an id of a call that is made from the id of the message makes no difference, any other id does', () => {
  expect(
    compareAnswers(withCall('msg_1', 'toolu_msg_1_0'), withCall('msg_2', 'toolu_msg_2_0')),
  ).toBeUndefined()
  expect(compareAnswers(withCall('msg_1', 'call_a'), withCall('msg_2', 'call_b'))).toEqual({
    where: 'body content[0].id',
    expected: '"call_a"',
    actual: '"call_b"',
  })
})

test('a difference in one event names the event and the path in it', () => {
  const one = streamed([started('msg_1'), delta('Hello'), STOP])
  const other = streamed([started('msg_2'), PING, delta('Hullo'), STOP])
  const found = compareAnswers(one, other)
  expect(found).toEqual({
    where: 'event 2 (content_block_delta) delta.text',
    expected: '"Hello"',
    actual: '"Hullo"',
  })
  expect(found && describeDifference(found)).toBe(
    'event 2 (content_block_delta) delta.text\n  expected "Hello"\n  got      "Hullo"',
  )
})

test.each([
  ['a missing event', streamed([started('m'), STOP]), 'event 2 (content_block_delta)'],
  ['a further event', streamed([started('m'), delta('Hello'), STOP, STOP]), 'event 4 (message_stop)'],
  ['another status', { ...streamed([started('m'), delta('Hello'), STOP]), status: 201 }, 'status'],
  ['half an event at the end', streamed([started('m'), delta('Hello'), STOP, 'data: {']), 'what follows'],
  ['an answer that was cut off', streamed([started('m'), delta('Hello'), STOP], 'aborted'), 'the end'],
  ['a body without events', json({ id: 'm' }), 'headers content-type'],
])('%s is a difference', (_what, actual, where) => {
  const found = compareAnswers(streamed([started('m'), delta('Hello'), STOP]), actual)
  expect(found?.where).toContain(where)
})

test('an answer that was not read to the end is compared as far as it was read', () => {
  const recorded = streamed([started('m'), delta('Hello'), delta(' wor').slice(0, 20)], 'aborted')
  expect(
    compareBeginnings(recorded, streamed([started('n'), delta('Hello'), delta(' world')], 'aborted')),
  ).toBe(undefined)
  expect(compareBeginnings(recorded, streamed([started('n'), delta('Hallo')], 'aborted'))?.where).toBe(
    'event 2 (content_block_delta) delta.text',
  )
  expect(compareBeginnings(recorded, streamed([started('n')]))?.where).toBe('event 2 (content_block_delta)')
})

test('long texts are shown where they part', () => {
  const long = 'same '.repeat(100)
  const found = compareAnswers(json({ text: `${long}one` }), json({ text: `${long}two` }))
  expect(found?.expected).toMatch(/^….{19,21}one"$/)
  expect(found?.actual).toMatch(/two"$/)
})

test('however a stream is split, it is the same; whatever text changes, it is not', () => {
  const whole = Buffer.from(started('m') + delta('Grüße 😀') + STOP)
  fc.assert(
    fc.property(fc.nat(whole.length), fc.string({ minLength: 1 }), (at, text) => {
      const chunks = [whole.subarray(0, at), whole.subarray(at)].map((bytes) => ({ bytes }))
      const expected = streamed([started('m'), delta('Grüße 😀'), STOP])
      expect(compareAnswers(expected, { ...expected, chunks })).toBeUndefined()
      const changed = streamed([started('m'), delta(`Grüße 😀${text}`), STOP])
      expect(compareAnswers(expected, changed)).toBeDefined()
    }),
  )
})
