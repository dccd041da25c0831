import { expect, test } from 'vitest'
import { outlineOf, type AnswerOutline } from '../../../test/streams/answer.ts'
import { streamFixtures } from '../../../test/streams/fixtures.ts'
import { chatTranslator, messagesTranslator, toBytes, translate } from '../../../test/streams/translator.ts'

const event = (data: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}   \n\n`
const PING = event({ type: 'ping' })
const START = event({
  type: 'message_start',
  message: {
    id: 'msg_theirs',
    model: 'theirs',
    content: [],
    usage: { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 5 },
  },
})
const begin = (index: number, content_block: object): string =>
  event({ type: 'content_block_start', index, content_block })
const delta = (index: number, value: object): string =>
  event({ type: 'content_block_delta', index, delta: value })
const stop = (index: number): string => event({ type: 'content_block_stop', index })
const end = (reason: string, usage: object = { output_tokens: 4 }): string =>
  event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage }) +
  event({ type: 'message_stop' })
const block = (index: number, head: object, ...deltas: object[]): string =>
  begin(index, head) + deltas.map((value) => delta(index, value)).join('') + stop(index)

const read = (body: string): AnswerOutline => outlineOf(messagesTranslator(), body)
const TEXT = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' })

test.for(streamFixtures())('$name goes through its own dialect unchanged', ({ bytes, setup }) => {
  const once = translate(chatTranslator(setup), bytes)
  const again = translate(messagesTranslator(), once)
  expect(again).toBe(once)
})

test('text, thinking and calls are passed on under our id', () => {
  const body =
    START +
    PING +
    block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm' },
      { type: 'signature_delta', signature: 's' },
    ) +
    block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }) +
    block(
      2,
      { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} },
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"a":1}' },
    ) +
    end('tool_use')
  const { blocks, stop: reason, usage } = read(body)
  expect(blocks).toEqual(['thinking Hm #s', 'text Hi', 'toolu_1 Read {"a":1}'])
  expect([reason, usage]).toEqual(['tool_use', [9, 4, 5, 0]])
})

test('blocks of the same kind stay apart', () => {
  const body =
    START +
    TEXT +
    block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'there' }) +
    end('end_turn')
  expect(read(body).blocks).toEqual(['text Hi', 'text there'])
})

test('a thinking block that is all signature is kept', () => {
  const body =
    START +
    block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'signature_delta', signature: 's' }) +
    end('end_turn')
  expect(read(body).blocks).toEqual(['thinking  #s'])
})

test('a block that begins with its content is taken whole', () => {
  const body =
    START +
    block(0, { type: 'text', text: 'Hi' }) +
    block(1, { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { a: 1 } }) +
    block(2, { type: 'redacted_thinking', data: 'x' }) +
    end('tool_use')
  expect(read(body).blocks).toEqual(['text Hi', 'toolu_1 Read {"a":1}', 'redacted_thinking'])
})

test('a citation before the text is kept', () => {
  const citation = {
    type: 'web_search_result_location',
    url: 'u',
    title: 't',
    encrypted_index: '',
    cited_text: 'c',
  }
  const body =
    START +
    block(
      0,
      { type: 'text', text: '', citations: [] },
      { type: 'citations_delta', citation },
      { type: 'text_delta', text: 'Hi' },
    ) +
    end('end_turn')
  const output = translate(messagesTranslator(), body)
  expect(output).toContain(JSON.stringify({ type: 'citations_delta', citation }))
  expect(read(body).error).toBeUndefined()
})

test('the last usage counts, and counts that are missing or null say nothing', () => {
  const body =
    START + TEXT + end('end_turn', { output_tokens: 7, input_tokens: null, cache_read_input_tokens: 6 })
  expect(read(body).usage).toEqual([9, 7, 6, 0])
})

test('an event of an unknown type is left out with a note', () => {
  const { blocks, notes } = read(START + event({ type: 'thread_update' }) + TEXT + end('end_turn'))
  expect([blocks, notes]).toEqual([['text Hi'], ['event_ignored']])
})

test.for([
  ['before the end', START + TEXT],
  ['before the stop', START + TEXT + end('end_turn').split('\n\n')[0] + '\n\n'],
  ['in a block', START + begin(0, { type: 'text', text: '' }) + delta(0, { type: 'text_delta', text: 'H' })],
  ['at once', ''],
] as const)('F12 a stream that breaks off %s is an error', ([, body]) => {
  expect(read(body).error).toMatch(/^api_error: anthropic: the stream broke off after \d events$/)
})

test('F13 an error event is that error', () => {
  const failed = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
  expect(read(START + TEXT + failed).error).toBe('overloaded_error: Overloaded')
  const { error, translator } = read(failed)
  expect([error, translator.started, translator.failure?.status]).toEqual([
    'overloaded_error: Overloaded',
    false,
    529,
  ])
})

test.for([
  ['not JSON', 'data: {"type":\n\n'],
  ['no object', 'data: 5\n\n'],
  ['without a type', 'data: {}\n\n'],
  ['a start without a message', event({ type: 'message_start' })],
  ['a block without a head', event({ type: 'content_block_start', index: 0 })],
  ['input outside of a call', delta(0, { type: 'input_json_delta', partial_json: '{}' })],
  ['a stop without a reason', event({ type: 'message_stop' })],
] as const)('an event that is %s is an error and not a throw', ([, body]) => {
  expect(read(START + body).error).toMatch(/^api_error: /)
})

test('any split gives the same output', () => {
  const bytes = toBytes(START + PING + TEXT + end('end_turn'))
  const whole = translate(messagesTranslator(), bytes)
  for (let at = 1; at < bytes.length; at += 1) {
    expect(translate(messagesTranslator(), bytes.subarray(0, at), bytes.subarray(at))).toBe(whole)
  }
})

test.for([
  [
    'a message that does not say why it ended',
    START + TEXT + event({ type: 'message_delta', delta: {} }) + event({ type: 'message_stop' }),
    'without a stop_reason',
  ],
  ['a call without an id', START + begin(0, { type: 'tool_use', name: 'T', input: {} }), 'tool_use.id'],
  ['a call without a name', START + begin(0, { type: 'tool_use', id: 't1', input: {} }), 'tool_use.name'],
  [
    'a block that begins twice',
    START +
      begin(0, { type: 'tool_use', id: 't1', name: 'T', input: {} }).repeat(2) +
      stop(0) +
      end('tool_use'),
    'block 0 began twice',
  ],
] as const)('%s is an error, never a whole answer', ([_name, body, reason]) => {
  const out = translate(messagesTranslator(), toBytes(body))
  expect(out).toContain('event: error')
  expect(out).toContain(reason)
  expect(out).not.toContain('event: message_stop')
})
