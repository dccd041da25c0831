import { asText } from '../../sse/as-text.ts'
import { expect, test } from 'vitest'
import { runOf } from '../../../test/streams/run-of.ts'
import { readChunks } from '../../../test/chat-client/read-chunks.ts'
import { mapMemory, message, replyTo, streamed } from '../../../test/chat-client/told.ts'
import { HubError } from '../../hub/error.ts'
import type { HubStopReason } from '../../hub/message.ts'
import { usageOf } from '../../hub/usage.ts'
import { encodeStream } from './encode-stream.ts'

const HEAD = { id: 'chatcmpl-1', model: 'gpt-test', usage: usageOf({}) }
const COMMON = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-test"'

function call(id: string, name: string, input: object = {}): object {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
}

const TEXT = { type: 'text', text: 'Hello.', citations: null }

test('K35: role, text, finish, usage and [DONE], each with the same head', () => {
  expect(streamed(message([TEXT])).split('\n\n')).toEqual([
    `data: {${COMMON},"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}`,
    `data: {${COMMON},"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":null}],"usage":null}`,
    `data: {${COMMON},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
    `data: {${COMMON},"choices":[],"usage":{"prompt_tokens":16,"completion_tokens":7,"total_tokens":23,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":2},"completion_tokens_details":{"reasoning_tokens":3}}}`,
    'data: [DONE]',
    '',
  ])
})

test('K42: a client that did not ask for the usage is told nothing of it', () => {
  const output = streamed(message([TEXT]), replyTo({ stream_options: null }))
  expect(output).not.toContain('usage')
  expect(readChunks(output, { usage: false }).finish).toBe('stop')
})

test('K36: thinking is reasoning_content, one paragraph for each thought', () => {
  const thoughts = [
    { type: 'thinking', thinking: 'Hm.', signature: 'proof' },
    { type: 'thinking', thinking: 'Well.', signature: '' },
  ]
  const { reasoning, text } = readChunks(streamed(message([...thoughts, TEXT])), { usage: true })
  expect([reasoning, text]).toEqual(['Hm.\n\nWell.', 'Hello.'])
})

test('K37: calls are numbered, and each has its id, type and name once', () => {
  const content = [TEXT, call('a', 'Read', { path: 'x' }), call('b', 'Bash')]
  const { calls, finish } = readChunks(streamed(message(content, 'tool_use')), { usage: true })
  expect(calls).toEqual([
    { id: 'a', type: 'function', name: 'Read', input: '{"path":"x"}' },
    { id: 'b', type: 'function', name: 'Bash', input: '{}' },
  ])
  expect(finish).toBe('tool_calls')
})

test('K38: a call without any input has the arguments of an empty object', () => {
  const encoder = encodeStream(replyTo())
  encoder.messageStart(HEAD)
  encoder.blockStart({ type: 'tool_use', id: 'a', name: 'Read' })
  encoder.blockStop()
  encoder.messageStop({ stop_reason: 'tool_use', stop_sequence: null, stop_details: null }, usageOf({}))
  expect(readChunks(asText(encoder.take()), { usage: true }).calls[0]?.input).toBe('{}')
})

test('K39: the call of a custom tool is a custom call, streamed as text', () => {
  const encoder = encodeStream(replyTo())
  encoder.messageStart(HEAD)
  encoder.blockStart({ type: 'tool_use', id: 'a', name: 'patch' })
  asText(encoder.take())
  encoder.inputJson('{"input":"a\\')
  const early = asText(encoder.take())
  encoder.inputJson('nb"}')
  expect(early).toContain('"tool_calls":[{"index":0,"custom":{"input":"a"}}]')
  expect(asText(encoder.take())).toContain('"custom":{"input":"\\nb"}')
})

test('K40: a client of functions gets a function_call, and any further calls beside it', () => {
  const reply = replyTo({ tools: null, functions: [{ name: 'Read' }] })
  const content = [call('a', 'Read', { path: 'x' }), call('b', 'Read')]
  const read = readChunks(streamed(message(content, 'tool_use'), reply), { usage: true })
  expect(read.functionCall).toEqual({ name: 'Read', input: '{"path":"x"}' })
  expect(read.calls).toMatchObject([{ id: 'b' }])
  expect(read.finish).toBe('function_call')
})

test.each<[HubStopReason, string, string]>([
  ['end_turn', 'stop', 'tool_calls'],
  ['stop_sequence', 'stop', 'tool_calls'],
  ['pause_turn', 'stop', 'tool_calls'],
  ['tool_use', 'stop', 'tool_calls'],
  ['max_tokens', 'length', 'length'],
  ['model_context_window_exceeded', 'length', 'length'],
  ['refusal', 'content_filter', 'content_filter'],
  ['something_new' as HubStopReason, 'stop', 'tool_calls'],
])('K41: %s ends as %s, and with calls as %s', (reason, plain, withCalls) => {
  expect(readChunks(streamed(message([TEXT], reason)), { usage: true }).finish).toBe(plain)
  const calls = message([call('a', 'Read')], reason)
  expect(readChunks(streamed(calls), { usage: true }).finish).toBe(withCalls)
})

test.each([
  ['api_error', {}, 'Overloaded: it broke', '503'],
  ['overloaded_error', {}, 'Overloaded: it broke', '503'],
  ['timeout_error', {}, 'Overloaded: it broke', '503'],
  ['api_error', { shouldRetry: false }, 'it broke', 'server_error'],
  ['rate_limit_error', {}, 'it broke', 'rate_limit_exceeded'],
  ['invalid_request_error', {}, 'it broke', null],
  ['authentication_error', {}, 'it broke', 'invalid_api_key'],
] as const)(
  'K43: a stream that fails with %s %j ends in an error, and not in [DONE]',
  (kind, details, words, code) => {
    const encoder = encodeStream(replyTo())
    encoder.messageStart(HEAD)
    encoder.blockStart({ type: 'text' })
    encoder.text('Hel')
    encoder.error(new HubError(kind, 'it broke', details))
    const { error, finish, text } = readChunks(asText(encoder.take()), { usage: true })
    expect([text, finish]).toEqual(['Hel', undefined])
    expect(error).toMatchObject({ message: words, code })
  },
)

test('K49: what a chunk has no place for is left out with a note', () => {
  const reply = replyTo()
  const content = [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {}, caller: { type: 'direct' } },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
    { type: 'text', text: 'Hello.', citations: [{ type: 'char_location' }] },
  ]
  expect(readChunks(streamed(message(content), reply), { usage: true }).text).toBe('Hello.')
  const left = ['server_tool_use', 'web_search_tool_result', 'citations_delta']
  expect(reply.answerNotes.list.map(({ code, path }) => `${code} ${path}`)).toEqual(
    left.map((type) => `answer_part_left_out ${type}`),
  )
})

test('runs of escaped text are the same chunks as the text', () => {
  const texts = ['a', 'b"\\', '\n', 'd', 'e', 'f', 'g', 'h', 'ß', '😀']
  const plain = encodeStream(replyTo())
  const run = encodeStream(replyTo())
  for (const encoder of [plain, run]) {
    encoder.messageStart(HEAD)
    encoder.blockStart({ type: 'text' })
  }
  for (const text of texts) plain.text(text)
  run.escapedRun(runOf(texts))
  run.escapedRun(runOf(texts.slice(0, 2)))
  const expected = asText(plain.take())
  plain.text('a')
  plain.text('b"\\')
  expect(asText(run.take())).toBe(expected + asText(plain.take()))
})

test('thinking without an end is not kept beyond a bound, and the client reads all of it', () => {
  const memory = mapMemory()
  const reply = replyTo({}, memory)
  const encoder = encodeStream(reply)
  encoder.messageStart(HEAD)
  encoder.blockStart({ type: 'thinking' })
  let told = 0
  for (let count = 0; count < 50; count += 1) {
    encoder.thinking('§'.repeat(100_000))
    told += asText(encoder.take()).split('§').length - 1
  }
  encoder.signature('proof')
  encoder.blockStop()
  encoder.blockStart({ type: 'tool_use', id: 'a', name: 'Read' })
  encoder.blockStop()
  encoder.messageStop({ stop_reason: 'tool_use', stop_sequence: null, stop_details: null }, usageOf({}))
  expect(told).toBe(5_000_000)
  expect(memory.keys()).toEqual([])
  expect(reply.answerNotes.list.map(({ code }) => code)).toEqual(['thinking_not_kept'])
})
