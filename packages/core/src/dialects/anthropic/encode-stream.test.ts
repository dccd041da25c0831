import { asText } from '../../sse/as-text.ts'
import { expect, test } from 'vitest'
import { readStream } from '../../../test/streams/grammar.ts'
import { parseEvents } from '../../../test/streams/sse-events.ts'
import { HubError } from '../../hub/error.ts'
import { stopFor } from '../../hub/message.ts'
import { usageOf } from '../../hub/usage.ts'
import { UNSIGNED } from '../../identity/envelope.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeStream } from './encode-stream.ts'
import { encodeErrorEvent } from './error.ts'

const HEAD = { id: 'msg_1', model: 'm', usage: usageOf({}) }

test('deltas carry the index of their block, which counts from zero', () => {
  const encoder = encodeStream()
  encoder.messageStart(HEAD)
  for (const text of ['a', 'b']) {
    encoder.blockStart({ type: 'text' })
    encoder.text(text)
    encoder.blockStop()
  }
  const events = parseEvents(asText(encoder.take())).slice(1)
  expect(events.map((event) => ('index' in event ? event.index : undefined))).toEqual([0, 0, 0, 1, 1, 1])
})

test.each([
  [{ type: 'text' }, 'text', { type: 'text_delta', text: 'a' }],
  [{ type: 'thinking' }, 'thinking', { type: 'thinking_delta', thinking: 'a' }],
  [{ type: 'tool_use', id: 'c', name: 'Read' }, 'inputJson', { type: 'input_json_delta', partial_json: 'a' }],
] as const)(
  'a delta of %j is written like the event that JSON.stringify would write',
  (block, say, delta) => {
    const encoder = encodeStream()
    encoder.blockStart(block)
    encoder.take()
    encoder[say]('a')
    const json = JSON.stringify({ type: 'content_block_delta', index: 0, delta })
    expect(asText(encoder.take())).toBe(`event: content_block_delta\ndata: ${json}\n\n`)
  },
)

test('line ends, separators and halves of characters do not leave the line of their event', () => {
  const encoder = encodeStream()
  encoder.blockStart({ type: 'text' })
  encoder.take()
  const text = 'a\nb\r\nc\u2028d\u2029"\\\0\uD800'
  encoder.text(text)
  const [event] = parseEvents(asText(encoder.take()))
  expect(event).toMatchObject({ delta: { text } })
})

test('each kind of block begins with all of its fields', () => {
  const encoder = encodeStream()
  encoder.blockStart({ type: 'text' })
  encoder.blockStart({ type: 'thinking' })
  encoder.blockStart({ type: 'tool_use', id: 'c', name: 'Read' })
  encoder.blockStart({ type: 'server_tool_use', id: 's', name: 'web_search' })
  encoder.blockStart({ type: 'whole', block: { type: 'redacted_thinking', data: 'x' } })
  const blocks = parseEvents(asText(encoder.take())).map(
    (event) => event.type === 'content_block_start' && event.content_block,
  )
  expect(blocks).toEqual([
    { type: 'text', text: '', citations: null },
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'tool_use', id: 'c', name: 'Read', input: {}, caller: { type: 'direct' } },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {}, caller: { type: 'direct' } },
    { type: 'redacted_thinking', data: 'x' },
  ])
})

test('the end has the reason, the usage and the stop', () => {
  const encoder = encodeStream()
  encoder.messageStop(
    { ...stopFor('stop_sequence'), stop_sequence: 'X' },
    usageOf({ input_tokens: 1, output_tokens: 2 }),
  )
  expect(parseEvents(asText(encoder.take()))).toEqual([
    {
      type: 'message_delta',
      delta: { stop_reason: 'stop_sequence', stop_sequence: 'X', stop_details: null, container: null },
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens_details: null,
        server_tool_use: null,
      },
    },
    { type: 'message_stop' },
  ])
})

test('an error is an event of its own', () => {
  const encoder = encodeStream()
  encoder.error(new HubError('api_error', 'no "way"\n'))
  expect(asText(encoder.take())).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded: no \\"way\\"\\n"}}\n\n',
  )
})

test('what was taken is not given again', () => {
  const encoder = encodeStream()
  encoder.messageStart(HEAD)
  expect(asText(encoder.take())).not.toBe('')
  expect(asText(encoder.take())).toBe('')
})

test.each([
  ['', UNSIGNED],
  ['s', 's'],
])('thinking with the signature %j is told with %j, and comes back as it was', (signature, told) => {
  const encoder = encodeStream()
  encoder.messageStart(HEAD)
  encoder.blockStart({ type: 'thinking' })
  encoder.thinking('Hm')
  if (signature !== '') encoder.signature(signature)
  encoder.blockStop()
  const { blocks } = readStream(asText(encoder.take()) + encodeErrorEvent(new HubError('api_error', 'no')))
  expect(blocks.map((block) => block.signature)).toEqual([told])
  const thought = { type: 'thinking', thinking: 'Hm', signature: told }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [thought, { type: 'text', text: 'Hi.' }] },
  ]
  const { request } = decodeRequest({ body: { model: 'm', max_tokens: 9, messages } })
  expect(request.messages[1]?.content).toEqual([
    { ...thought, signature },
    { type: 'text', text: 'Hi.' },
  ])
})
