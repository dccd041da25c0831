import { expect, test } from 'vitest'
import { message, replyTo } from '../../../test/chat-client/told.ts'
import { encodeResponse } from './encode-response.ts'

const TEXT = { type: 'text', text: 'Hello.', citations: null }

function call(name: string, input: unknown): object {
  return { type: 'tool_use', id: 'a', name, input, caller: { type: 'direct' } }
}

test('K48: a whole answer has all that a stream of it says', () => {
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'proof' }
  expect(
    encodeResponse(message([thought, TEXT, call('Read', { path: 'x' })], 'tool_use'), replyTo()),
  ).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-test',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hello.',
          refusal: null,
          reasoning_content: 'Hm.',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'Read', arguments: '{"path":"x"}' } }],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 16,
      completion_tokens: 7,
      total_tokens: 23,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
  })
})

test('a turn of nothing but calls has no content, and one of nothing at all an empty one', () => {
  const [calls] = encodeResponse(message([call('Read', {})], 'tool_use'), replyTo()).choices
  const [nothing] = encodeResponse(message([]), replyTo()).choices
  expect([calls?.message.content, nothing?.message.content]).toEqual([null, ''])
})

test('K39: a custom call has its text', () => {
  const [choice] = encodeResponse(message([call('patch', { input: 'a\nb' })], 'tool_use'), replyTo()).choices
  expect(choice?.message.tool_calls).toEqual([
    { id: 'a', type: 'custom', custom: { name: 'patch', input: 'a\nb' } },
  ])
})

test('K40: a client of functions gets a function_call', () => {
  const reply = replyTo({ tools: null, functions: [{ name: 'Read' }] })
  const [choice] = encodeResponse(message([call('Read', {})], 'tool_use'), reply).choices
  expect(choice?.message).toMatchObject({ function_call: { name: 'Read', arguments: '{}' } })
  expect(choice?.message.tool_calls).toBeUndefined()
  expect(choice?.finish_reason).toBe('function_call')
})

test('arguments that are no JSON are passed on as the model wrote them', () => {
  const broken = call('Read', { __unparsedToolInput: { raw: '{"a', len: 3 } })
  const [choice] = encodeResponse(message([broken], 'max_tokens'), replyTo()).choices
  expect(choice?.message.tool_calls).toMatchObject([{ function: { arguments: '{"a' } }])
})
