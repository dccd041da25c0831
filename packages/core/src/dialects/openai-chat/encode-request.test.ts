import { expect, test } from 'vitest'
import { encode, noted, requestWith } from '../../../test/requests/encode.ts'
import { chatProfiles } from '../../providers/chat-profiles.ts'
import { anthropic } from '../anthropic/index.ts'
import { encodeRequest } from './encode-request.ts'
import { openaiChat } from './index.ts'

function use(id: string, command = ''): Record<string, unknown> {
  return { type: 'tool_use', id, name: 'Bash', input: { command } }
}

function result(id: string, content: unknown, extra: object = {}): Record<string, unknown> {
  return { type: 'tool_result', tool_use_id: id, content, ...extra }
}

test('the messages are the last field, so that a longer conversation begins with the same bytes', () => {
  const { body } = encode(
    requestWith({
      messages: [{ role: 'user', content: 'Go.' }],
      tools: [{ name: 'Read', input_schema: { type: 'object', properties: {} } }],
      output_config: { effort: 'low' },
      stream: true,
    }),
    { model: 'gpt-5' },
  )
  expect(Object.keys(body)).toEqual([
    'model',
    'max_completion_tokens',
    'stream',
    'stream_options',
    'reasoning_effort',
    'tools',
    'messages',
  ])
})

test('the body names the target’s model, the reply the client’s', () => {
  const { body, reply } = encode(requestWith({ model: 'claude-opus-5-5' }), { model: 'gpt-4o' })
  expect(body['model']).toBe('gpt-4o')
  expect(reply.model).toBe('claude-opus-5-5')
})

test.each([
  ['mcp_servers', [{ type: 'url', name: 'a', url: 'https://a.example' }]],
  ['container', 'container_1'],
  ['thread', { type: 'create' }],
])('%s, without which the answer would be another, is a clear 400', (field, value) => {
  expect(() => encode(requestWith({ [field]: value }))).toThrow(
    expect.objectContaining({ status: 400, kind: 'invalid_request_error', path: field }),
  )
})

test('no MCP servers are no reason to refuse', () => {
  expect(encode(requestWith({ mcp_servers: [] })).messages).toHaveLength(1)
})

test('turns that are all empty are a clear 400: there is nothing to answer', () => {
  const messages = [{ role: 'user', content: '' }]
  expect(() => encode(requestWith({ messages }))).toThrow(
    expect.objectContaining({ status: 400, path: 'messages' }),
  )
  expect(encode(requestWith({ messages, system: 'Greet.' })).messages).toHaveLength(1)
})

test('a turn to be continued is kept, and a note says that the upstream answers it', () => {
  const messages = [
    { role: 'user', content: 'JSON?' },
    { role: 'assistant', content: '{' },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages.at(-1)).toEqual({ role: 'assistant', content: '{' })
  expect(noted(encoded)).toEqual(['prefill_kept messages[1]'])
  const shifted = encode(requestWith({ messages: messages.slice(1) }), { profile: 'gemini' })
  expect(noted(shifted)).toContain('prefill_kept messages[0]')
})

test('R19: calls with the same id in different turns get distinct ids, each result with its own call', () => {
  const messages = [
    { role: 'assistant', content: [use('call_0', 'one')] },
    { role: 'user', content: [result('call_0', '1')] },
    { role: 'assistant', content: [use('call_0', 'two')] },
    { role: 'user', content: [result('call_0', '2')] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages).toEqual([
    expect.objectContaining({ tool_calls: [expect.objectContaining({ id: 'call_0' })] }),
    { role: 'tool', tool_call_id: 'call_0', content: '1' },
    expect.objectContaining({ tool_calls: [expect.objectContaining({ id: 'call_0_2' })] }),
    { role: 'tool', tool_call_id: 'call_0_2', content: '2' },
  ])
  expect(noted(encoded)).toEqual(['call_id_distinct messages[2].content[0]'])
})

test('R19: ids that a profile shortens stay distinct', () => {
  const ids = Array.from({ length: 50 }, (_, index) => `toolu_${index}`)
  const messages = [
    { role: 'assistant', content: ids.map((id) => use(id)) },
    { role: 'user', content: ids.map((id) => result(id, id)) },
  ]
  const encoded = encode(requestWith({ messages }), { profile: 'mistral' })
  const sent = encoded.messages.flatMap((message) => (message.role === 'tool' ? message.tool_call_id : []))
  expect(new Set(sent).size).toBe(50)
  for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
})

test('R19: an id that comes in the answer is distinct from all that the history has', () => {
  const messages = [
    { role: 'assistant', content: [use('call_0')] },
    { role: 'user', content: [result('call_0', '')] },
  ]
  const { reply } = encode(requestWith({ messages }))
  expect(reply.callIds.claim('call_0', 'x')).not.toBe('call_0')
  expect(reply.callIds.claim('call_1', 'x')).toBe('call_1')
})

test('H1: a call without a result gets a stand-in that says so, marked as an error', () => {
  const messages = [
    { role: 'assistant', content: [use('t1'), use('t2')] },
    { role: 'user', content: [result('t2', 'done'), { type: 'text', text: 'Stop.' }] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages.slice(1)).toEqual([
    { role: 'tool', tool_call_id: 't1', content: 'Error: The tool call was interrupted and has no result.' },
    { role: 'tool', tool_call_id: 't2', content: 'done' },
    { role: 'user', content: 'Stop.' },
  ])
  expect(noted(encoded)).toEqual(['result_invented messages[0].content[0]'])
})

test('H2: a result without a call is user text that carries its content', () => {
  const messages = [
    { role: 'user', content: [result('gone', 'the old content'), { type: 'text', text: 'Go on.' }] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages).toEqual([
    {
      role: 'user',
      content:
        '[Result of an earlier tool call that is no longer part of the conversation]\n\nthe old content\n\nGo on.',
    },
  ])
  expect(noted(encoded)).toEqual(['result_without_call messages[0].content[0]'])
})

test('H3: a result that comes later than the next turn is moved next to its call', () => {
  const messages = [
    { role: 'assistant', content: [use('t1')] },
    { role: 'user', content: 'And?' },
    { role: 'assistant', content: 'Wait.' },
    { role: 'user', content: [result('t1', 'done'), { type: 'text', text: 'There.' }] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages.map(({ role, content }) => [role, content])).toEqual([
    ['assistant', null],
    ['tool', 'done'],
    ['user', 'And?'],
    ['assistant', 'Wait.'],
    ['user', 'There.'],
  ])
  expect(noted(encoded)).toEqual(['result_moved messages[3].content[0]'])
})

test('H4: of two results for one call the last counts, with a note', () => {
  const messages = [
    { role: 'assistant', content: [use('t1')] },
    { role: 'user', content: [result('t1', 'first'), result('t1', 'second')] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages.slice(1)).toEqual([{ role: 'tool', tool_call_id: 't1', content: 'second' }])
  expect(noted(encoded)).toEqual(['result_duplicate messages[1].content[0]'])
})

test('Claude at OpenRouter is asked to cache the prompt, for clients that want it or cannot say it', () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const system = [{ type: 'text' as const, text: 'S', cache_control: { type: 'ephemeral' as const } }]
  const asked = (
    model: string,
    client: typeof openaiChat.client | typeof anthropic.client,
    fields = {},
  ): unknown => {
    const target = { model, profile: chatProfiles.openrouter, client }
    return encodeRequest({ model: 'm', messages, ...fields }, target).body['cache_control']
  }
  const marks = [
    asked('anthropic/claude-opus-4.5', openaiChat.client),
    asked('anthropic/claude-opus-4.5', anthropic.client, { system }),
    asked('anthropic/claude-opus-4.5', anthropic.client),
    asked('openai/gpt-5.1', openaiChat.client),
  ]
  expect(marks).toEqual([{ type: 'ephemeral' }, { type: 'ephemeral' }, undefined, undefined])
})
