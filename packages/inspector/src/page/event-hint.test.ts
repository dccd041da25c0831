import { expect, test } from 'vitest'
import { hintOf } from './event-hint.ts'

test.each([
  ['chat: text', { choices: [{ delta: { content: 'Hi' } }] }, '"Hi"'],
  ['chat: a role', { choices: [{ delta: { role: 'assistant', content: '' } }] }, 'role: assistant'],
  ['chat: thinking', { choices: [{ delta: { reasoning_content: 'hm' } }] }, 'thinks "hm"'],
  [
    'chat: a call',
    { choices: [{ delta: { tool_calls: [{ function: { name: 'Read', arguments: '{' } }] } }] },
    'calls Read {',
  ],
  ['chat: an end', { choices: [{ delta: {}, finish_reason: 'stop' }] }, 'finish: stop'],
  ['chat: usage', { choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } }, 'usage 3 in, 9 out'],
  ['messages: text', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hi' } }, '"Hi"'],
  [
    'messages: a call',
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'Read' } },
    'block 1: Read',
  ],
  [
    'messages: an end',
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 3, output_tokens: 9 },
    },
    'stop: end_turn usage 3 in, 9 out',
  ],
  ['messages: a name that says it all', { type: 'message_stop' }, ''],
  ['messages: an error', { type: 'error', error: { type: 'api_error', message: 'no' } }, 'no'],
  ['responses: text', { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' }, '"Hi"'],
  [
    'responses: a call',
    { type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', name: 'Read' } },
    'item 1: calls Read ',
  ],
  [
    'responses: another item',
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
    'item 0: message',
  ],
  [
    'responses: an end',
    {
      type: 'response.completed',
      response: { status: 'completed', model: 'm', usage: { input_tokens: 3, output_tokens: 9 } },
    },
    'completed usage 3 in, 9 out',
  ],
  [
    'responses: a failure',
    { type: 'response.failed', response: { status: 'failed', error: { message: 'no' } } },
    'failed no',
  ],
  ['gemini: text', { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }, '"Hi"'],
  [
    'gemini: thinking',
    { candidates: [{ content: { parts: [{ text: 'hm', thought: true }] } }] },
    'thinks "hm"',
  ],
  [
    'gemini: a call and an end',
    {
      candidates: [
        {
          content: { parts: [{ functionCall: { name: 'Read', args: { path: 'a' } } }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 9 },
    },
    'calls Read {"path":"a"} finish: STOP',
  ],
  [
    'gemini: usage',
    { candidates: [], usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 9 } },
    'usage 3 in, 9 out',
  ],
  ['gemini: a prompt that is blocked', { promptFeedback: { blockReason: 'SAFETY' } }, 'blocked: SAFETY'],
  ['something else', { kind: 'x', words: 'y' }, '{"kind":"x","words":"y"}'],
])('%s', (_what, event, hint) => {
  expect(hintOf(JSON.stringify(event))).toBe(hint)
})

test.each(['[DONE]', '{"detail":"Not found"}', '{"choices":1}', '{"candidates":1}', '{"delta":1}', '[1]'])(
  'what nobody understands is shown as it is: %s',
  (data) => {
    expect(hintOf(data)).toBe(data)
  },
)
