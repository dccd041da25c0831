import { expect, test } from 'vitest'
import { noted, requestWith } from '../../../test/requests/encode.ts'
import { deepFreeze } from '../../../test/deep-freeze.ts'
import { goldenCases, readJson } from '../../../test/requests/fixtures.ts'
import { GEMINI, sealEnvelope } from '../../identity/envelope.ts'
import { profiles } from '../../providers/providers.ts'
import type { EncodedRequest } from '../dialect.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'

const CALL = { type: 'tool_use', id: 't1', name: 'Read', input: {} }
const RESULT = { type: 'tool_result', tool_use_id: 't1', content: 'done' }
const OWN = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' }
const UNSIGNED = { type: 'thinking', thinking: 'Hm.', signature: '' }
const ENVELOPE = { ...UNSIGNED, signature: sealEnvelope({ by: GEMINI, proof: 's', callId: 't1' }) }
const REDACTED = { type: 'redacted_thinking', data: 'ZGF0YQ==' }

function encode(body: unknown, model = 'claude-target'): EncodedRequest {
  return encodeRequest(decodeRequest({ body }).request, {
    model,
    profile: profiles.anthropic,
  })
}

function messagesOf(messages: readonly object[]): unknown {
  return encode(requestWith({ messages })).body['messages']
}

test('a request keeps every field but the model, also those nobody knows', () => {
  const body = requestWith({ system: 'S', tools: [], of_tomorrow: { a: 1 }, temperature: 0.5, stream: true })
  const encoded = encode(deepFreeze(body))
  expect(encoded.body).toEqual({ ...body, model: 'claude-target' })
  expect(encoded.notes).toEqual([])
  expect(encoded.reply).toMatchObject({ model: 'claude-test', ownStopSequences: [] })
})

test('a history that is legal is passed on as the same messages', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [] },
    { role: 'assistant', content: [OWN, REDACTED, CALL] },
    { role: 'user', content: [RESULT] },
  ]
  const sent = messagesOf(messages) as unknown[]
  messages.forEach((message, index) => expect(sent[index]).toBe(message))
})

test('thinking that Anthropic has not signed is dropped with a note', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [UNSIGNED, ENVELOPE, OWN, { type: 'text', text: 'Hi' }] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.body['messages']).toEqual([
    messages[0],
    { role: 'assistant', content: [OWN, { type: 'text', text: 'Hi' }] },
  ])
  expect(noted(encoded)).toEqual([
    'thinking_dropped messages[1].content[0]',
    'thinking_dropped messages[1].content[1]',
  ])
})

test('turns that are empty then are skipped, for Anthropic refuses them', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [UNSIGNED] },
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Go on.' },
  ]
  expect(messagesOf(messages)).toEqual([messages[0], messages[3]])
})

test('a broken history is repaired', () => {
  const messages = [
    { role: 'user', content: [RESULT] },
    { role: 'assistant', content: [CALL] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(noted(encoded)).toEqual([
    'result_without_call messages[0].content[0]',
    'result_invented messages[1].content[0]',
  ])
})

test('ids of the history are known to the answer', () => {
  const messages = [
    { role: 'assistant', content: [CALL] },
    { role: 'user', content: [RESULT] },
  ]
  const { reply } = encode(requestWith({ messages }))
  expect(reply.callIds.claim('t1', 'x')).not.toBe('t1')
})

test.each([...new Set(goldenCases().map(({ name }) => name))])(
  '%s goes to Anthropic without being written to',
  (name) => {
    const body = deepFreeze(readJson(`${name}.json`))
    expect(encode(body).body['model']).toBe('claude-target')
  },
)

test('an upstream of the client’s dialect is told its version and its betas, and nothing else of its headers', () => {
  const { request } = decodeRequest({ body: requestWith({}) })
  const client = {
    'anthropic-version': '2099-01-01',
    'anthropic-beta': 'b1,b2',
    'x-api-key': 'k',
    'x-anything': 'y',
  }
  const { headers } = encodeRequest(request, { model: 'm', profile: profiles.anthropic, headers: client })
  expect(headers).toEqual({ 'anthropic-version': '2099-01-01', 'anthropic-beta': 'b1,b2' })
  const without = encodeRequest(request, { model: 'm', profile: profiles.anthropic })
  expect(without.headers).toEqual({ 'anthropic-version': '2023-06-01' })
})

test('sampling goes out as far as the model takes it', () => {
  const sampled = (model: string, fields: Readonly<Record<string, unknown>>): object => {
    const { temperature, top_p, top_k } = encode(requestWith(fields), model).body
    return JSON.parse(JSON.stringify({ temperature, top_p, top_k })) as object
  }
  const all = { temperature: 0.5, top_p: 0.9, top_k: 5 }
  expect(sampled('claude-3-5-haiku-latest', all)).toEqual(all)
  expect(sampled('claude-sonnet-4-5', all)).toEqual({ temperature: 0.5, top_k: 5 })
  expect(sampled('claude-opus-4-8', all)).toEqual({})
  expect(sampled('claude-opus-4-8', { temperature: 1 })).toEqual({ temperature: 1 })
  const thinking = { type: 'enabled', budget_tokens: 2000 }
  expect(sampled('claude-sonnet-4-5', { ...all, max_tokens: 9000, thinking })).toEqual({})
  expect(noted(encode(requestWith(all), 'claude-opus-4-8'))).toEqual([
    'sampling_dropped temperature',
    'sampling_dropped top_p',
    'sampling_dropped top_k',
  ])
})

test('an answer is held to a schema whose objects are closed, or the system prompt says it', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } }
  const body = requestWith({ system: 'S', output_config: { format: { type: 'json_schema', schema } } })
  const held = encode(body, 'claude-sonnet-4-5')
  const closed = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false }
  expect(held.body['output_config']).toEqual({ format: { type: 'json_schema', schema: closed } })
  expect(noted(held)).toEqual([
    'schema_keyword_dropped output_config.format.schema..minimum',
    'schema_closed output_config.format.schema',
  ])
  const asked = encode(body, 'claude-3-7-sonnet-latest')
  expect(asked.body['output_config']).toBeUndefined()
  expect(JSON.stringify(asked.body['system'])).toContain('fits this JSON schema')
  expect(noted(asked)).toEqual(['schema_as_prompt output_config.format'])
})

test('keywords that Anthropic has other words for, or none, do not reach it in the schema of an answer', () => {
  const schema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: { oneOf: [{ type: 'string', format: 'int32' }] }, minItems: 3 },
      maybe: { type: ['object', 'null'], properties: { format: { type: 'string', format: 'date' } } },
    },
    additionalProperties: false,
  }
  const { body } = encode(requestWith({ output_config: { format: { type: 'json_schema', schema } } }))
  expect(body).toMatchObject({
    output_config: {
      format: {
        schema: {
          properties: {
            list: { type: 'array', items: { anyOf: [{ type: 'string' }] } },
            maybe: { properties: { format: { format: 'date' } }, additionalProperties: false },
          },
        },
      },
    },
  })
  expect(JSON.stringify(body)).not.toMatch(/oneOf|minItems|int32/)
})

test('a schema that leads back to itself is said in the system prompt', () => {
  const schema = {
    $ref: '#/$defs/A',
    $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } },
  }
  const encoded = encode(requestWith({ output_config: { format: { type: 'json_schema', schema } } }))
  expect(encoded.body['output_config']).toBeUndefined()
  expect(JSON.stringify(encoded.body['system'])).toContain('fits this JSON schema')
})

const CLOSED = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}

test.each([
  ['closed', CLOSED, true],
  ['open', { type: 'object', properties: {} }, undefined],
  ['open inside', { ...CLOSED, properties: { a: { type: 'object' } } }, undefined],
  ['with bounds', { ...CLOSED, properties: { a: { type: 'integer', minimum: 1 } } }, undefined],
  ['with a property of that name', { ...CLOSED, properties: { minimum: { type: 'integer' } } }, true],
  ['without an end', { ...CLOSED, properties: { a: { $ref: '#' } } }, undefined],
])(
  'a tool whose schema is %s is strict only if Anthropic can hold a call to it',
  (_what, input_schema, strict) => {
    const encoded = encode(requestWith({ tools: [{ name: 'Read', strict: true, input_schema }] }))
    expect((encoded.body['tools'] as { strict?: boolean }[])[0]?.strict).toBe(strict)
    expect(noted(encoded)).toEqual(strict ? [] : ['strict_dropped tools[0].strict'])
  },
)

test('schemas of older drafts are in the words of the one by which Anthropic checks them', () => {
  const pair = {
    type: 'array',
    items: [{ type: 'string' }, { type: 'integer', minimum: 0, exclusiveMinimum: true }],
  }
  const tools = [{ name: 'Read', input_schema: { type: 'object', properties: { pair } } }]
  const { body } = encode(requestWith({ tools }))
  const prefixItems = [{ type: 'string' }, { type: 'integer', exclusiveMinimum: 0 }]
  expect(body['tools']).toMatchObject([
    { input_schema: { properties: { pair: { type: 'array', prefixItems } } } },
  ])
})

test('no more tools are strict than Anthropic takes', () => {
  const tools = Array.from({ length: 30 }, (_, index) => ({
    name: `t${index}`,
    strict: true,
    input_schema: CLOSED,
  }))
  const { body } = encode(requestWith({ tools }))
  expect((body['tools'] as { strict?: boolean }[]).filter(({ strict }) => strict)).toHaveLength(20)
})

test('a stop sequence of white space is matched in the answer', () => {
  const encoded = encode(requestWith({ stop_sequences: ['END', '\n'] }))
  expect(encoded.body['stop_sequences']).toEqual(['END'])
  expect(encoded.reply.ownStopSequences).toEqual(['\n'])
})

test('a system message between the turns is a reminder for models that know none', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: 'Mind the gap.' },
  ]
  const encoded = encode(requestWith({ messages }), 'claude-sonnet-4-5')
  expect(encoded.body['messages']).toEqual([
    messages[0],
    {
      role: 'user',
      content: [{ type: 'text', text: '<system-reminder>\nMind the gap.\n</system-reminder>' }],
    },
  ])
  expect(noted(encoded)).toEqual(['system_moved messages[1]'])
})

test.each([
  ['claude-sonnet-4-5', 'assistant', []],
  ['claude-opus-4-6', 'user', ['prefill_closed messages[1]']],
  ['claude-opus-5-5', 'user', ['prefill_closed messages[1]']],
])('a request that ends with the assistant: %s gets one that ends with the %s', (model, role, notes) => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'So' },
  ]
  const encoded = encode(requestWith({ messages }), model)
  expect((encoded.body['messages'] as { role: string }[]).at(-1)?.role).toBe(role)
  expect(noted(encoded)).toEqual(notes)
})

test('halves of characters are replaced wherever they are: Anthropic refuses the whole body', () => {
  const half = 'a\ud83d'
  const body = requestWith({
    system: half,
    stop_sequences: [half, 'END'],
    tools: [{ name: 'Read', description: half, input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: half },
      { role: 'assistant', content: [{ ...CALL, input: { [half]: half } }] },
      { role: 'user', content: [{ ...RESULT, content: [{ type: 'text', text: half }] }] },
    ],
  })
  const encoded = encode(body)
  expect(JSON.stringify(encoded.body)).not.toContain('\\ud83d')
  expect(JSON.stringify(encoded.body).split('a\ufffd').length - 1).toBe(6)
  expect(noted(encoded)).toEqual([
    'surrogate_replaced messages[0]',
    'surrogate_replaced messages[1]',
    'surrogate_replaced messages[2]',
    'surrogate_replaced system',
    'surrogate_replaced tools[0]',
  ])
})

test('text behind a call comes before it, and names and ids fit', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: [
        { ...CALL, id: 'functions.a:0', name: 'a b' },
        { type: 'text', text: 'Hm' },
      ],
    },
    { role: 'user', content: [{ ...RESULT, tool_use_id: 'functions.a:0' }] },
  ]
  const tools = [{ name: 'a b', input_schema: { anyOf: [{ type: 'object', properties: { p: {} } }] } }]
  const encoded = encode(requestWith({ messages, tools }))
  const [, said, results] = encoded.body['messages'] as { content: Record<string, unknown>[] }[]
  const [text, call] = said?.content ?? []
  expect(text).toEqual({ type: 'text', text: 'Hm' })
  expect(call).toMatchObject({
    type: 'tool_use',
    id: expect.stringMatching(/^\w+$/),
    name: expect.stringMatching(/^\w+$/),
  })
  expect(results?.content[0]).toMatchObject({ tool_use_id: call?.['id'] })
  expect(encoded.body['tools']).toMatchObject([{ name: call?.['name'], input_schema: { type: 'object' } }])
  expect(encoded.reply.names.toClient(String(call?.['name']))).toBe('a b')
})

test('unsigned thinking goes back to servers of other models, which do not sign and may insist on it', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [UNSIGNED, ENVELOPE, CALL] },
    { role: 'user', content: [RESULT] },
  ]
  for (const model of ['deepseek-v4-pro', 'MiniMax-M2', 'glm-5', 'qwen3:8b']) {
    const encoded = encode(requestWith({ messages }), model)
    expect(encoded.body['messages']).toMatchObject([{}, { content: [UNSIGNED, CALL] }, {}])
    expect(noted(encoded)).toEqual(['thinking_dropped messages[1].content[1]'])
  }
})

test('beside adaptive thinking no temperature goes out but 1, nor a low top_p or a top_k', () => {
  const thinking = { type: 'adaptive' }
  const encoded = encode(requestWith({ thinking, temperature: 0.5, top_k: 4 }), 'claude-opus-4-6')
  expect(encoded.body).not.toHaveProperty('temperature')
  expect(noted(encoded)).toEqual(['sampling_dropped temperature', 'sampling_dropped top_k'])
  expect(encode(requestWith({ thinking, top_p: 0.5 }), 'claude-opus-4-6').body).not.toHaveProperty('top_p')
  const plain = encode(requestWith({ thinking: { type: 'disabled' }, temperature: 0.5 }), 'claude-opus-4-6')
  expect(plain.body).toMatchObject({ temperature: 0.5 })
})

test.each(['', '  \n'])('a system prompt of %j is none: Anthropic refuses it', (system) => {
  expect(encode(requestWith({ system })).body).not.toHaveProperty('system')
})

test('a schema of a tool whose top is a reference is what it refers to', () => {
  const Input = { type: 'object', properties: { a: { type: 'string' } } }
  const input_schema = { $ref: '#/$defs/Input', $defs: { Input } }
  const { tools } = encode(requestWith({ tools: [{ name: 'T', input_schema }] })).body as { tools: unknown }
  expect(tools).toEqual([{ name: 'T', input_schema: { ...Input, $defs: { Input } } }])
})

test('a turn of the assistant never ends with a thought, which Anthropic refuses', () => {
  const text = { type: 'text', text: 'Hi' }
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [OWN, text, OWN, REDACTED] },
    { role: 'user', content: 'On.' },
    { role: 'assistant', content: [OWN] },
    { role: 'user', content: 'On.' },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.body['messages']).toEqual([
    messages[0],
    { role: 'assistant', content: [OWN, text] },
    messages[2],
    messages[4],
  ])
  expect(noted(encoded)).toEqual(['thinking_dropped messages[1]'])
})

test('servers of other models get system messages between the turns as reminders', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: 'Be quick.' },
  ]
  const encoded = encode(requestWith({ messages }), 'glm-5')
  expect(encoded.body['messages']).toEqual([
    messages[0],
    {
      role: 'user',
      content: [{ type: 'text', text: '<system-reminder>\nBe quick.\n</system-reminder>' }],
    },
  ])
  expect(noted(encoded)).toEqual(['system_moved messages[1]'])
})
