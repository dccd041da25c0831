import { expect, test } from 'vitest'
import { parseEvents } from './sse-events.ts'
import { chatTranslator, MESSAGE_ID, toBytes } from './translator.ts'

const USAGE_OF_A_START = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: null,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
}
const START = {
  type: 'message_start',
  message: {
    id: MESSAGE_ID,
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: USAGE_OF_A_START,
  },
}
const textStart = (index: number): object => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'text', text: '', citations: null },
})
const callStart = (index: number, id: string, name: string): object => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } },
})
const text = (index: number, piece: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text: piece },
})
const input = (index: number, piece: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: piece },
})
const stop = (index: number): object => ({ type: 'content_block_stop', index })
const end = (reason: string, tokens: readonly [number, number]): object[] => [
  {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null, stop_details: null, container: null },
    usage: {
      input_tokens: tokens[0],
      output_tokens: tokens[1],
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens_details: null,
      server_tool_use: null,
    },
  },
  { type: 'message_stop' },
]

/** Each line of an exchange: what the upstream sends, and the events that the client gets for it at once. */
type Exchange = readonly (readonly [data: string, ...events: object[]])[]

function expectExchange(exchange: Exchange): void {
  const translator = chatTranslator({ tools: ['Read'] })
  for (const [data, ...events] of exchange) {
    expect(parseEvents(translator.push(toBytes(`data: ${data}\n\n`))), data).toEqual(events)
  }
  expect(translator.ended).toBe(true)
  expect(translator.end()).toBe('')
}

const call = (index: number, id: string): string =>
  `{"choices":[{"delta":{"tool_calls":[{"index":${index},"id":"${id}","type":"function","function":{"name":"Read","arguments":"{}"}}]}}]}`

const chunk = (delta: string, rest = '"finish_reason":null}]'): string =>
  `{"id":"chatcmpl-xxx","object":"chat.completion.chunk","created":1234,"model":"gpt-4o","choices":[{"index":0,"delta":${delta},${rest}}`

test('seed 001: the exchange of text and a call, event by event', () => {
  expectExchange([
    ['{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}'],
    [
      '{"choices":[{"delta":{"content":"Let me"},"finish_reason":null}]}',
      START,
      textStart(0),
      text(0, 'Let me'),
    ],
    ['{"choices":[{"delta":{"content":" read it."},"finish_reason":null}]}', text(0, ' read it.')],
    [
      '{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_abc","type":"function","function":{"name":"Read","arguments":""}}]},"finish_reason":null}]}',
      stop(0),
      callStart(1, 'call_abc', 'Read'),
    ],
    [
      String.raw`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"fi"}}]},"finish_reason":null}]}`,
      input(1, '{"fi'),
    ],
    [
      '{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"le_pa"}}]},"finish_reason":null}]}',
      input(1, 'le_pa'),
    ],
    [
      String.raw`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"th\":\"/tmp/x\"}"}}]},"finish_reason":null}]}`,
      input(1, 'th":"/tmp/x"}'),
    ],
    // The seed closes the block here already; usage and more calls may follow, so that waits for the end.
    [
      '{"choices":[{"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":42,"completion_tokens":18}}',
    ],
    ['[DONE]', stop(1), ...end('tool_use', [42, 18])],
  ])
})

test('seed 001: a text and two calls share one count of blocks', () => {
  expectExchange([
    [
      '{"choices":[{"delta":{"content":"Let me read those files."}}]}',
      START,
      textStart(0),
      text(0, 'Let me read those files.'),
    ],
    [call(0, 'call_a'), stop(0), callStart(1, 'call_a', 'Read')],
    [call(1, 'call_b')],
    [
      '{"choices":[{"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}',
    ],
    [
      '[DONE]',
      input(1, '{}'),
      stop(1),
      callStart(2, 'call_b', 'Read'),
      input(2, '{}'),
      stop(2),
      ...end('tool_use', [1, 2]),
    ],
  ])
})

test('seed 002: a text answer, event by event', () => {
  expectExchange([
    [chunk('{"role":"assistant","content":""}')],
    [chunk('{"content":"Hello"}'), START, textStart(0), text(0, 'Hello')],
    [chunk('{"content":" world"}'), text(0, ' world')],
    [
      chunk(
        '{}',
        '"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105}',
      ),
    ],
    ['[DONE]', stop(0), ...end('end_turn', [100, 5])],
  ])
})

test('seed 002: a call in pieces, event by event', () => {
  expectExchange([
    [
      '{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_abc","type":"function","function":{"name":"Read","arguments":""}}]}}]}',
      START,
      callStart(0, 'call_abc', 'Read'),
    ],
    [
      String.raw`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"fi"}}]}}]}`,
      input(0, '{"fi'),
    ],
    [
      '{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"le_p"}}]}}]}',
      input(0, 'le_p'),
    ],
    [
      String.raw`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"ath\":"}}]}}]}`,
      input(0, 'ath":'),
    ],
    [
      String.raw`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"/tmp/x\"}"}}]}}]}`,
      input(0, '"/tmp/x"}'),
    ],
    [
      '{"choices":[{"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}',
    ],
    ['[DONE]', stop(0), ...end('tool_use', [3, 4])],
  ])
})
