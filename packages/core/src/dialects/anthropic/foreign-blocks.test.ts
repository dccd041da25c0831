import { expect, test } from 'vitest'
import { parseEvents } from '../../../test/streams/sse-events.ts'
import { messagesTranslator, toBytes, translate } from '../../../test/streams/translator.ts'

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const block = (index: number, head: object, ...deltas: object[]): string =>
  event('content_block_start', { index, content_block: head }) +
  deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
  event('content_block_stop', { index })
const answer = (...blocks: string[]): string =>
  event('message_start', { message: { usage: { input_tokens: 9, output_tokens: 1 } } }) +
  blocks.join('') +
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }) +
  event('message_stop', {})

const TEXT = { type: 'text', text: '' }
const said = (text: string): object => ({ type: 'text_delta', text })
const input = (json: string): object => ({ type: 'input_json_delta', partial_json: json })

/** The deltas that a client gets, each with the number of its block. */
function deltasOf(body: string): [number, object][] {
  const events = parseEvents(translate(messagesTranslator(), toBytes(body)))
  return events.flatMap((told) => (told.type === 'content_block_delta' ? [[told.index, told.delta]] : []))
}

test.for(['mcp_tool_use', 'tomorrow'])('what a block of the type %s holds stays in it', (type) => {
  const thought = { type: 'thinking_delta', thinking: 'nor a thought' }
  const foreign = [input('{"a"'), input(':1}'), input(' '), said('no words'), thought]
  const body = answer(block(0, { type, id: 'x' }, ...foreign), block(1, TEXT, said('Hi')))
  expect(deltasOf(body)).toEqual([...foreign.map((delta) => [0, delta]), [1, said('Hi')]])
})

test('a call behind a block of tomorrow has its own input', () => {
  const call = { type: 'tool_use', id: 'a', name: 'Read', input: {} }
  const body = answer(block(0, { type: 'tomorrow' }, input('{"a":1}')), block(1, call, input('{"b":2}')))
  expect(deltasOf(body)).toEqual([
    [0, input('{"a":1}')],
    [1, input('{"b":2}')],
  ])
})
