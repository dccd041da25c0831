import { expect, test } from 'vitest'
import { openaiChat } from '../openai-chat/index.ts'
import { plainCall } from '../plain-call.ts'
import { anthropic } from './index.ts'

const MARK = { type: 'ephemeral' }
const USER = { role: 'user', content: 'Go.' }
const SYSTEM = { role: 'system', content: 'Be brief.' }
const CALL = { id: 't1', type: 'function', function: { name: 'Read', arguments: '{}' } }
const LOOP = [
  { role: 'assistant', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 't1', content: 'done' },
]
const TOOLS = ['Read', 'Write'].map((name) => ({ type: 'function', function: { name } }))

function sent(fields: object, client: typeof openaiChat.client = openaiChat.client): Record<string, unknown> {
  const { request } = client.decodeRequest(
    plainCall({ model: 'm', messages: [SYSTEM, USER, ...LOOP], ...fields }),
  )
  const target = { model: 'claude-opus-5-5', profile: anthropic.upstream.defaultProfile, client }
  return anthropic.upstream.encodeRequest(request, target).body
}

test('the last tool, the system prompt and the last two turns of the user are marked', () => {
  expect(sent({ tools: TOOLS })).toMatchObject({
    tools: [{ name: 'Read' }, { name: 'Write', cache_control: MARK }],
    system: [{ text: 'Be brief.', cache_control: MARK }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Go.', cache_control: MARK }] },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result', content: 'done', cache_control: MARK }] },
    ],
  })
})

test('a client that has set marks itself is not helped', () => {
  const part = { type: 'text', text: 'Go.', cache_control: MARK }
  const body = sent({ tools: TOOLS, messages: [SYSTEM, { role: 'user', content: [part] }] })
  expect(JSON.stringify(body).split('cache_control')).toHaveLength(2)
})

test('of more marks than Anthropic takes the latest count', () => {
  const marked = (text: string): object => ({ type: 'text', text, cache_control: MARK })
  const parts = ['a', 'b', 'c'].map(marked)
  const result = { role: 'tool', tool_call_id: 't1', content: [marked('r')] }
  const messages = [
    { role: 'system', content: parts },
    USER,
    LOOP[0],
    result,
    { role: 'user', content: parts },
  ]
  expect(sent({ messages })).toMatchObject({
    system: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
    messages: [{}, {}, { content: [{ content: [{ text: 'r', cache_control: MARK }] }, ...parts] }],
  })
  expect(JSON.stringify(sent({ messages })).split('cache_control')).toHaveLength(5)
})

test('a client of Anthropic’s own protocol has said what it wants cached', () => {
  const { request } = anthropic.client.decodeRequest({
    body: { model: 'm', max_tokens: 9, messages: [USER] },
  })
  const { client, upstream } = anthropic
  const { body } = upstream.encodeRequest(request, { model: 'm', profile: upstream.defaultProfile, client })
  expect(body['messages']).toEqual([USER])
})

test('a server that knows no marks gets none', () => {
  const { request } = openaiChat.client.decodeRequest(plainCall({ model: 'm', messages: [USER] }))
  const profile = { ...anthropic.upstream.defaultProfile, takesCacheMarks: false }
  const { body } = anthropic.upstream.encodeRequest(request, {
    model: 'm',
    profile,
    client: openaiChat.client,
  })
  expect(body['messages']).toEqual([USER])
})

test('a client that leaves the length of the answer to the model gets what the model can give', () => {
  expect(limit('claude-3-haiku-20240307')).toBe(4096)
  expect(limit('claude-opus-4-20250514')).toBe(32_000)
  expect(limit('claude-sonnet-4-20250514')).toBe(64_000)
  expect(limit('claude-opus-4-5-20251101')).toBe(64_000)
  expect(limit('claude-sonnet-4-6')).toBe(128_000)
  expect(limit('some-model')).toBe(32_000)
})

function limit(model: string): unknown {
  const { request } = openaiChat.client.decodeRequest(plainCall({ model: 'm', messages: [USER] }))
  return anthropic.upstream.encodeRequest(request, { model, profile: anthropic.upstream.defaultProfile })
    .body['max_tokens']
}
