import { expect, test } from 'vitest'
import type { EncodedRequest } from '../../src/dialects/dialect.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import { registry } from '../../src/dialects/registry.ts'
import { sealEnvelope } from '../../src/identity/envelope.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { chatProfiles } from '../../src/providers/chat-profiles.ts'
import { responsesProfiles } from '../../src/providers/responses-profiles.ts'

const RELAYED = registry.all.filter(({ upstream }) => upstream?.relayRequest !== undefined)
const NEW_FIELDS = { of_tomorrow: { a: [1] }, n: 2 }
const USER = { role: 'user', content: 'Hi' }

interface Way {
  readonly name: string
  readonly model?: string
  readonly profile?: Profile
  readonly memory?: Map<string, unknown>
}

function relayed(
  body: unknown,
  { name, model = 'theirs', profile, memory = new Map() }: Way,
): EncodedRequest | undefined {
  const { client, upstream } = registry.get(name) ?? {}
  if (client === undefined || upstream === undefined) throw new Error(`expected both sides of ${name}`)
  const path = '/v1beta/models/ours:generateContent'
  const call = plainCall(body, { memory, path, params: { model: 'ours' } })
  const target = { model, profile: profile ?? upstream.defaultProfile, client }
  try {
    return upstream.relayRequest?.({ call, request: client.decodeRequest(call).request }, target)
  } catch {
    return upstream.relayRequest?.({ call }, target)
  }
}

test('every dialect that clients and upstreams both speak is relayed', () => {
  const both = registry.all.filter(({ client, upstream }) => client !== undefined && upstream !== undefined)
  expect(RELAYED.map(({ name }) => name)).toEqual(both.map(({ name }) => name))
})

test.each(RELAYED)('$name: what is not read here goes on with another model', ({ name }) => {
  const body = { model: 'ours', messages: 3, input: 3, contents: 3, ...NEW_FIELDS }
  const encoded = relayed(body, { name })
  const { model: _ours, ...others } = body
  const { model, ...rest } = encoded?.body ?? {}
  expect(rest).toEqual(others)
  // Some dialects have the model in the path.
  expect(model ?? encoded?.path).toMatch(/^theirs$|\/theirs:/)
  expect(relayed('no object', { name })).toBeUndefined()
})

test('Chat: a request keeps all of its fields', () => {
  const name = 'openai-chat'
  const body = { model: 'ours', messages: [USER], logprobs: true, ...NEW_FIELDS, n: 1, max_tokens: 5 }
  const encoded = relayed(body, { name })
  expect(encoded?.body).toEqual({ ...body, model: 'theirs' })
  expect(encoded?.notes).toEqual([])
})

test('Chat: what the server refuses is changed', () => {
  const name = 'openai-chat'
  const messages = [{ role: 'developer', content: 'Be brief.' }, USER]
  const generic = relayed({ model: 'm', messages, max_completion_tokens: 5 }, { name })
  expect(generic?.body).toEqual({
    model: 'theirs',
    messages: [{ role: 'system', content: 'Be brief.' }, USER],
    max_tokens: 5,
  })
  const thinking = { temperature: 0.2, reasoning_effort: 'max', max_tokens: 5 }
  const openai = { name, model: 'gpt-5', profile: chatProfiles.openai }
  expect(relayed({ model: 'm', messages, ...thinking }, openai)?.body).toEqual({
    model: 'gpt-5',
    messages,
    reasoning_effort: 'high',
    max_completion_tokens: 5,
  })
})

test('Chat: sampling that a model refuses goes, but not what asks for nothing', () => {
  const openai = { name: 'openai-chat', model: 'gpt-5', profile: chatProfiles.openai }
  const neutral = { temperature: 1, frequency_penalty: 0 }
  const refused = { presence_penalty: 0.5, logit_bias: { 5: 1 } }
  const encoded = relayed({ model: 'm', messages: [USER], ...neutral, ...refused }, openai)
  expect(encoded?.body).toEqual({ model: 'gpt-5', messages: [USER], ...neutral })
  expect(encoded?.notes.map(({ path }) => path)).toEqual(['presence_penalty', 'logit_bias'])
})

test.each([
  ['groq', ['thinking_dropped']],
  ['mistral', ['thinking_dropped', 'field_ignored']],
] as const)(
  'Chat: what clients send back of an answer, and ask of a stream, goes where %s refuses it',
  (name, notes) => {
    const said = { role: 'assistant', content: 'Hi' }
    const messages = [USER, { ...said, reasoning_content: 'Hm', reasoning_details: [] }, USER]
    const stream = { stream: true, stream_options: { include_usage: true } }
    const profile = chatProfiles[name]
    const encoded = relayed({ model: 'm', messages, ...stream }, { name: 'openai-chat', profile })
    expect(encoded?.body['messages']).toEqual([USER, said, USER])
    expect(encoded?.body['stream_options']).toEqual(name === 'groq' ? stream.stream_options : undefined)
    expect(encoded?.notes.map(({ code }) => code)).toEqual(notes)
    const generic = relayed({ model: 'm', messages, ...stream }, { name: 'openai-chat' })
    expect(generic?.body).toEqual({ model: 'theirs', messages, ...stream })
  },
)

test('Chat: an empty list of tools goes, and what is said of it', () => {
  const none = { tools: [], tool_choice: 'auto', parallel_tool_calls: true }
  const encoded = relayed({ model: 'm', messages: [USER], ...none }, { name: 'openai-chat' })
  expect(encoded?.body).toEqual({ model: 'theirs', messages: [USER] })
  expect(encoded?.notes.map(({ path }) => path)).toEqual(['tools'])
})

test('Chat: a model with a switch does not think where it is made to call a tool', () => {
  const qwen = { name: 'openai-chat', model: 'qwen3.5-plus', profile: chatProfiles.qwen }
  const forced = { messages: [USER], tools: [{ type: 'function' }], tool_choice: 'required' }
  const encoded = relayed({ model: 'm', ...forced, enable_thinking: true }, qwen)
  expect(encoded?.body).toEqual({ model: 'qwen3.5-plus', ...forced, enable_thinking: false })
  expect(encoded?.notes.map(({ code }) => code)).toEqual(['thinking_off'])
  expect(relayed({ model: 'm', ...forced, enable_thinking: false }, qwen)?.notes).toEqual([])
})

test('Chat: what a server can be asked in another way only is translated', () => {
  const name = 'openai-chat'
  const custom = { model: 'm', messages: [USER], tools: [{ type: 'custom', custom: { name: 'patch' } }] }
  expect(relayed(custom, { name, profile: chatProfiles.groq })).toBeUndefined()
  expect(relayed(custom, { name, profile: chatProfiles.openai })?.body).toMatchObject({ tools: custom.tools })
  const steered = { model: 'm', messages: [USER, { role: 'tool', tool_call_id: 'a' }, USER] }
  expect(relayed(steered, { name, profile: chatProfiles.mistral })).toBeUndefined()
  expect(relayed(steered, { name, profile: chatProfiles.groq })).toBeDefined()
  const stop = { model: 'm', messages: [USER], stop: 'END' }
  expect(relayed(stop, { name, model: 'gpt-5', profile: chatProfiles.openai })).toBeUndefined()
  expect(relayed(stop, { name, model: 'gpt-4o', profile: chatProfiles.openai })?.body).toMatchObject({
    stop: 'END',
  })
})

test('Responses: what the model refuses is changed', () => {
  const openai = { name: 'openai-responses', model: 'gpt-5-codex', profile: responsesProfiles.openai }
  const reasoning = { summary: 'auto', effort: 'xhigh', context: 'all_turns' }
  const encoded = relayed({ model: 'm', input: 'Hi', temperature: 0, top_p: 1, reasoning }, openai)
  expect(encoded?.body).toEqual({
    model: 'gpt-5-codex',
    input: 'Hi',
    top_p: 1,
    reasoning: { ...reasoning, effort: 'high' },
  })
  expect(encoded?.notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'sampling_dropped temperature',
    'effort_changed reasoning.effort',
  ])
})

test('Chat: what the model thought is kept for clients that lose it, which only the hub can do', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const deepseek = { name: 'openai-chat', profile: chatProfiles.deepseek, model: 'deepseek-reasoner' }
  expect(relayed({ model: 'm', messages: [USER], tools }, deepseek)).toBeUndefined()
  expect(relayed({ model: 'm', messages: [USER] }, deepseek)).toBeDefined()
})

const item = (content: string): object => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: content,
})

test('Responses: reasoning of another provider stays here, and its own goes back', () => {
  const foreign = sealEnvelope({ by: 'anthropic', proof: 'p' })
  const input = [item(foreign), item('gAAAA'), { type: 'message', role: 'user', content: 'Hi' }]
  const encoded = relayed({ model: 'm', input, store: false, include: ['x'] }, { name: 'openai-responses' })
  expect(encoded?.body).toEqual({ model: 'theirs', input: input.slice(1), store: false, include: ['x'] })
  expect(encoded?.notes).toMatchObject([{ code: 'thinking_dropped', path: 'input[0]' }])
})

test.each([
  [true, true],
  [false, false],
])('Responses: an answer that the provider made (%s) can be gone on from there (%s)', (isRelayed, isSent) => {
  const stored = { response: { id: 'resp_1', output: [] }, input: [], context: [], isRelayed }
  const memory = new Map([['openai-responses response resp_1', stored]])
  const body = { model: 'm', input: 'Hi', previous_response_id: 'resp_1' }
  expect(relayed(body, { name: 'openai-responses', memory }) !== undefined).toBe(isSent)
})

test('Anthropic: thinking is in the form of the target’s model, and nothing is lost', () => {
  const body = {
    model: 'claude-opus-5-5',
    max_tokens: 9000,
    messages: [USER],
    thinking: { type: 'adaptive' },
    ...NEW_FIELDS,
  }
  const encoded = relayed(body, { name: 'anthropic', model: 'claude-sonnet-4-5' })
  expect(encoded?.body).toEqual({
    ...body,
    model: 'claude-sonnet-4-5',
    thinking: { type: 'enabled', budget_tokens: 4500 },
  })
})

test('Anthropic: tools whose names do not fit, and stops that it does not take, are the hub’s', () => {
  const body = { model: 'm', max_tokens: 9, messages: [USER] }
  const tools = [{ name: 'a b', input_schema: { type: 'object' } }]
  expect(relayed({ ...body, tools }, { name: 'anthropic' })).toBeUndefined()
  expect(relayed({ ...body, stop_sequences: ['\n'] }, { name: 'anthropic' })).toBeUndefined()
})
