import { expect, test } from 'vitest'
import { type AnswerOutline, outlineOf } from '../../../test/streams/answer.ts'
import { messagesTranslator } from '../../../test/streams/translator.ts'

function answered(...events: readonly object[]): AnswerOutline {
  const body = [{ type: 'message_start', message: { usage: { input_tokens: 3 } } }, ...events]
  const sse = body.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return outlineOf(messagesTranslator({ tools: ['Read'] }), sse)
}

const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }
const end = (stop_reason: unknown, usage: object = { output_tokens: 1 }): object[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const block = (index: number, content_block: unknown, ...deltas: readonly unknown[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

test('a call that takes nothing comes without input and is told with an empty object', () => {
  const { blocks, stop } = answered(...block(0, CALL), ...end('tool_use'))
  expect([blocks, stop]).toEqual([['toolu_1 Read {}'], 'tool_use'])
})

test('two calls with one id get distinct ones', () => {
  const { blocks } = answered(...block(0, CALL), ...block(1, CALL), ...end('tool_use'))
  expect(blocks[0]).toBe('toolu_1 Read {}')
  expect(blocks[1]).toMatch(/^hyd1_\w+ Read \{\}$/)
})

test('tool_use without a call is an ordinary end, with a note', () => {
  const { stop, notes } = answered(...block(0, { type: 'text', text: 'Hi.' }), ...end('tool_use'))
  expect([stop, notes]).toEqual(['end_turn', ['stop_reason_changed']])
})

test('tool_use after a block of an unknown kind stays: it may be a call that the client knows', () => {
  expect(answered(...block(0, { type: 'tomorrows_call' }), ...end('tool_use')).stop).toBe('tool_use')
})

test('a delta of an unknown kind is left out of a known block, with a note', () => {
  const delta = { type: 'tomorrows_delta', x: 1 }
  const { blocks, notes } = answered(...block(0, { type: 'text', text: 'Hi.' }, delta), ...end('end_turn'))
  expect([blocks, notes]).toEqual([['text Hi.'], ['delta_ignored']])
})

test('counts that are no numbers are as good as missing', () => {
  const usage = { output_tokens: '7', input_tokens: null, cache_read_input_tokens: -1 }
  expect(answered(...end('end_turn', usage)).usage).toEqual([3, 0, 0, 0])
})

test.each([
  ['a text', block(0, { type: 'text', text: 5 })],
  ['a piece of text', block(0, { type: 'text', text: '' }, { type: 'text_delta', text: [] })],
  ['a piece of thinking', block(0, { type: 'thinking' }, { type: 'thinking_delta', thinking: 5 })],
  ['a signature', block(0, { type: 'thinking' }, { type: 'signature_delta', signature: {} })],
  ['an input', block(0, CALL, { type: 'input_json_delta', partial_json: {} })],
  ['a citation', block(0, { type: 'text', text: 'x' }, { type: 'citations_delta', citation: 5 })],
  ['a delta', block(0, { type: 'text', text: '' }, 5)],
  ['a block', block(0, 5)],
  ['a stop reason', end({})],
  ['stop details', [{ type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: 5 } }]],
  ['a message', [{ type: 'message_start', message: 5 }]],
])('%s of another type is an error that says where', (_name, events) => {
  expect(answered(...events, ...end('end_turn')).error).toMatch(
    /^overloaded_error: Overloaded: anthropic: expected .+ \(event \d\)$/,
  )
})
