import { profiles } from '@hydra/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { abortLine, callOf, errorEvent, exchange, saying, UPSTREAM_REQUEST } from './exchanges.ts'
import { type Replay, replayExchange } from '@hydra/tape'

function replay(...[changes]: Parameters<typeof exchange>): Replay & { readonly text: string } {
  return textual(replayExchange(exchange(changes)))
}

function textual(result: ReturnType<typeof replayExchange>): Replay & { readonly text: string } {
  if ('reason' in result) throw new Error(result.reason)
  return { ...result, text: Buffer.from(result.answer.bytes).toString() }
}

const BROKEN = { message: 'upstream up: the connection broke (ECONNRESET)' } as const
const whole = replay().text

test('an exchange goes through the translator as it went through the gateway', () => {
  const { upstreamRequests, answer, text } = replay()
  expect(upstreamRequests).toEqual([UPSTREAM_REQUEST])
  expect([answer.status, answer.isStream, answer.ended]).toEqual([200, true, 'clean'])
  expect(text).toContain('"id":"msg_1"')
  expect(text).toContain('"model":"claude-test"')
  expect(text).toContain('"text":"Hello"')
  expect(text.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true)
})

test('a request without a stream gets one body', () => {
  const { answer, text } = replay({ request: { stream: false } })
  expect([answer.status, answer.isStream, answer.ended]).toEqual([200, false, 'clean'])
  expect(JSON.parse(text)).toMatchObject({ id: 'msg_1', content: [{ type: 'text', text: 'Hello there' }] })
})

test.for([
  ['streamGenerateContent?alt=sse', 'text/event-stream; charset=utf-8', 'data: {"candidates"'],
  ['streamGenerateContent', 'application/json; charset=utf-8', '[{"candidates"'],
  ['generateContent', 'application/json', '{"candidates"'],
] as const)(
  'a path that says what is streamed is replayed in its form: %s',
  ([method, contentType, begin]) => {
    const asked = exchange()
    if (asked.request === undefined) throw new Error('there is a request')
    const body = Buffer.from(JSON.stringify({ contents: [{ parts: [{ text: 'Hi' }] }] }))
    const path = `/v1beta/models/gemini-test:${method}`
    const { answer, text } = textual(replayExchange({ ...asked, request: { ...asked.request, path, body } }))
    expect([answer.contentType, text.slice(0, begin.length)]).toEqual([contentType, begin])
  },
)

test('an upstream that counts nothing has its input estimated by the length of its request', () => {
  const pieces = saying('Hello').filter((piece) => !piece.includes('"usage"'))
  const tokens = Math.ceil(JSON.stringify(UPSTREAM_REQUEST).length / 4)
  const { text, notes } = replay({ pieces })
  expect(text).toContain(`"input_tokens":${tokens},`)
  expect(notes.map(({ code }) => code)).toContain('usage_estimated')
})

test('the profile of a call is its preset with what was different', () => {
  const [body] = replay({ via: { overrides: { tokenLimitField: 'max_completion_tokens' } } }).upstreamRequests
  expect(body).toMatchObject({ max_completion_tokens: 100 })
})

test('what differs from a preset holds after its rules for models', () => {
  const via = {
    profile: 'deepseek',
    model: 'deepseek-chat',
    overrides: { maxOutputTokens: 50, callIds: { maxLength: 9, pattern: {} }, replaysThinking: null },
  }
  expect(replay({ via }).upstreamRequests).toMatchObject([{ max_tokens: 50 }])
})

test("a profile of somebody's own is taken from the tape, if it is there whole", () => {
  const { models: _, ...generic } = profiles.generic
  const overrides = JSON.parse(
    JSON.stringify({ ...generic, tokenLimitField: 'max_completion_tokens' }),
  ) as object
  const via = { profile: 'my-own', overrides: { ...overrides } }
  expect(replay({ via }).upstreamRequests).toMatchObject([{ max_completion_tokens: 100 }])
})

test('what the client was told of a broken connection is told again in the same words', () => {
  const told = { message: 'upstream up: silent for too long' } as const
  const base = exchange({
    pieces: saying('Hello').slice(0, 2),
    ended: 'aborted',
    // A gateway gives the upstream up, and then breaks off its own answer.
    moments: [
      abortLine('proxy', 'the upstream was given up'),
      abortLine('proxy', 'the answer was broken off'),
    ],
  })
  const chunks = [{ at: 0, bytes: Buffer.from(errorEvent(told)) }]
  const { text } = textual(replayExchange({ ...base, answer: { ...base.answer, status: 200, chunks } }))
  expect(text.endsWith(errorEvent(told))).toBe(true)
})

test('an upstream that broke off gives the beginning and one error', () => {
  const pieces = saying('Hello', ' there').slice(0, 2)
  const { answer, text } = replay({
    pieces,
    ended: 'aborted',
    moments: [abortLine('upstream', BROKEN.message)],
  })
  expect(answer.ended).toBe('failed')
  expect(text.endsWith(errorEvent(BROKEN))).toBe(true)
  expect(whole.startsWith(text.slice(0, -errorEvent(BROKEN).length))).toBe(true)
})

test('a connection that broke after the finish has brought everything', () => {
  const pieces = saying('Hello', ' there').slice(0, -1)
  const { answer, text } = replay({ pieces, ended: 'aborted', moments: [abortLine('upstream')] })
  expect([answer.ended, text]).toEqual(['clean', whole])
})

test('a timeout is told as one', () => {
  const { text } = replay({
    pieces: saying('Hello').slice(0, 2),
    ended: 'timeout',
    moments: [[1, 0, 1, 'u>', 'timeout', { reason: 'upstream up: silent for too long' }]],
  })
  expect(text.endsWith(errorEvent({ message: 'upstream up: silent for too long' }))).toBe(true)
})

test('a client that left, and a recording that was interrupted, give a beginning and no end', () => {
  const pieces = saying('Hello', ' there').slice(0, 2)
  for (const changes of [
    { pieces, ended: 'aborted', moments: [abortLine('client')], outcome: 'aborted' },
    { pieces, ended: 'open', outcome: 'interrupted' },
  ] as const) {
    const { answer, text } = replay(changes)
    expect(answer.ended).toBe('open')
    expect(text).not.toBe('')
    expect(whole.startsWith(text)).toBe(true)
    expect(text).not.toContain('message_delta')
  }
})

test('an interrupted recording without a first word sends nothing at all', () => {
  const { answer } = replay({ pieces: [], ended: 'open', outcome: 'interrupted' })
  expect([answer.status, answer.bytes.length, answer.ended]).toEqual([undefined, 0, 'open'])
})

test('an error status becomes the error of the client, under the id of its request', () => {
  const pieces = ['{"error":{"message":"slow down","type":"rate_limit"}}']
  const base = exchange({ status: 429, pieces })
  const failed = { ...base, answer: { ...base.answer, headers: { 'request-id': 'req_7' } } }
  const { answer, text } = textual(replayExchange(failed))
  expect([answer.status, answer.isStream, answer.ended]).toEqual([429, false, 'failed'])
  expect(JSON.parse(text)).toMatchObject({
    type: 'error',
    error: { type: 'rate_limit_error' },
    request_id: 'req_7',
  })
})

test('an answer that fails before its first word is a status, not an event', () => {
  const { answer, text } = replay({ pieces: ['data: {"error":{"message":"no"}}\n\n'] })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(JSON.parse(text)).toMatchObject({ type: 'error' })
})

test.for([
  [302, {}, 'status 302, which is not followed'],
  [200, { 'content-encoding': 'gzip' }, 'content-encoding gzip'],
] as const)('an answer with status %s and %j is refused', ([status, headers, words]) => {
  const { answer, text } = replay({ status, headers })
  expect(answer.status).toBe(502)
  expect(text).toContain(words)
})

test('of several calls the last decides, and each has its body', () => {
  const base = exchange()
  const calls = [
    callOf({ status: 500, pieces: ['no'] }),
    callOf({ via: { model: 'other' }, pieces: saying('Second') }),
  ]
  const { upstreamRequests, text } = textual(replayExchange({ ...base, calls }))
  expect(upstreamRequests).toMatchObject([{ model: 'm' }, { model: 'other' }])
  expect(text).toContain('"text":"Second"')
})

test('a call that went through unchanged keeps every byte', () => {
  const { upstreamRequests, answer } = replay({
    request: { unknown_field: [1] },
    via: { passthrough: true, dialect: 'anthropic' },
    pieces: [Uint8Array.of(0xf0, 0x9f), 'x'],
    ended: 'aborted',
  })
  expect(upstreamRequests).toMatchObject([{ unknown_field: [1] }])
  expect([...answer.bytes]).toEqual([0xf0, 0x9f, 0x78])
  expect(answer.ended).toBe('open')
})

test('a request that is refused is refused again', () => {
  const base = exchange({ request: { messages: 'none' }, outcome: 'failed' })
  const { answer, text } = textual(replayExchange({ ...base, calls: [] }))
  expect(answer.status).toBe(400)
  expect(text).toContain('messages')
})

test.for([
  ['its request is not on the tape', { ...exchange(), request: undefined }],
  ['no upstream was called', { ...exchange(), calls: [] }],
  ["there is no profile 'gone' any more", exchange({ via: { profile: 'gone' } })],
  [
    'the tape does not say how the upstream was called',
    { ...exchange(), calls: [{ ...callOf({}), via: undefined }] },
  ],
] as const)('what cannot be replayed says why: %s', ([reason, taped]) => {
  expect(replayExchange(taped)).toEqual({ reason })
})

test('ids that one answer claimed are free for the next', () => {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{}' } }
  const pieces = [
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`,
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}\n\n`,
    'data: [DONE]\n\n',
  ]
  const taped = exchange({ pieces })
  expect(textual(replayExchange(taped)).text).toBe(textual(replayExchange(taped)).text)
  const used = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'ok' }] },
  ]
  expect(replay({ pieces, request: { messages: used } }).text).toContain('"id":"hyd1_')
})

test('the pieces in which an answer came make no difference to what the client gets', () => {
  const bytes = Buffer.from(saying('Grüße', ' 🙂', ' there').join(''))
  const { text } = replay({ pieces: [bytes] })
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (drawn) => {
      const ends = [...drawn.toSorted((one, other) => one - other), bytes.length]
      const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
      expect(replay({ pieces }).text).toBe(text)
    }),
  )
})
