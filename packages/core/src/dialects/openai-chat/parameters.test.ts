import { expect, test } from 'vitest'
import { encode, noted, requestWith } from '../../../test/requests/encode.ts'
import type { Encoded, TestTarget } from '../../../test/requests/encode.ts'
import { digest } from '../../identity/digest.ts'
import { chatProfiles } from '../../providers/chat-profiles.ts'
import { profiles } from '../../providers/providers.ts'
import { encodeRequest } from './encode-request.ts'
import type { ChatMessage } from './wire.ts'

const GENERIC = { profile: 'generic', model: 'some-model' } as const
const VLLM = { profile: 'vllm', model: 'some-model' } as const

function encoded(fields: Readonly<Record<string, unknown>>, target: TestTarget = {}): Encoded {
  return encode(requestWith(fields), target)
}

function bodyOf(fields: Readonly<Record<string, unknown>>, target: TestTarget = {}): Encoded['body'] {
  return encoded(fields, target).body
}

test('R26: max_tokens goes under the name that the upstream knows', () => {
  expect(bodyOf({ max_tokens: 5 })).toMatchObject({ max_completion_tokens: 5 })
  expect(bodyOf({ max_tokens: 5 })).not.toHaveProperty('max_tokens')
  expect(bodyOf({ max_tokens: 5 }, GENERIC)).toMatchObject({ max_tokens: 5 })
  expect(bodyOf({ max_tokens: 5 }, GENERIC)).not.toHaveProperty('max_completion_tokens')
})

test.each([
  ['gpt-4o', 16_384],
  ['gpt-4', 8192],
  ['gpt-4.1', 32_768],
  ['o3-mini', 100_000],
  ['gpt-5', 128_000],
])('R26: max_tokens is not above the limit of %s', (model, limit) => {
  const above = encoded({ max_tokens: limit + 1 }, { model })
  expect(above.body['max_completion_tokens']).toBe(limit)
  expect(noted(above)).toEqual(['max_tokens_changed max_tokens'])
  expect(noted(encoded({ max_tokens: limit }, { model }))).toEqual([])
})

test('R26: a limit of 0, which warms a cache, becomes 1 with a note', () => {
  const result = encoded({ max_tokens: 0 })
  expect(result.body['max_completion_tokens']).toBe(1)
  expect(noted(result)).toEqual(['max_tokens_changed max_tokens'])
})

test('R27: stop_sequences become stop, without empty ones', () => {
  const result = encoded({ stop_sequences: ['A', '', 'B'] })
  expect(result.body['stop']).toEqual(['A', 'B'])
  expect(result.reply).toMatchObject({ stopSequences: ['A', 'B'], ownStopSequences: [] })
})

test.each([[[]], [['']], [undefined]])('R27: no stop sequences (%j) give no stop', (sequences) => {
  expect(bodyOf({ stop_sequences: sequences })).not.toHaveProperty('stop')
})

const FIVE = ['A', 'B', 'C', 'D', 'E']

test('R27: more than the upstream takes are matched by us in the stream, with a note', () => {
  const result = encoded({ stop_sequences: FIVE })
  expect(result.body).not.toHaveProperty('stop')
  expect(result.reply).toMatchObject({ stopSequences: FIVE, ownStopSequences: FIVE })
  expect(noted(result)).toEqual(['stop_matched_here stop_sequences'])
  expect(bodyOf({ stop_sequences: FIVE }, VLLM)['stop']).toEqual(FIVE)
})

test('R27: for a model without stop sequences even one is matched by us', () => {
  const result = encoded({ stop_sequences: ['A'] }, { model: 'o3-mini' })
  expect(result.body).not.toHaveProperty('stop')
  expect(result.reply.ownStopSequences).toEqual(['A'])
})

test('R28: temperature and top_p go as given, also 0', () => {
  expect(bodyOf({ temperature: 0, top_p: 0.5 })).toMatchObject({ temperature: 0, top_p: 0.5 })
})

test('R28: a reasoning model refuses them: dropped with notes', () => {
  const result = encoded({ temperature: 0, top_p: 0.5 }, { model: 'gpt-5' })
  expect(result.body).not.toHaveProperty('temperature')
  expect(result.body).not.toHaveProperty('top_p')
  expect(noted(result)).toEqual(['sampling_dropped temperature', 'sampling_dropped top_p'])
})

test('R28: top_k is dropped with a note unless the profile knows it', () => {
  expect(noted(encoded({ top_k: 5 }))).toEqual(['sampling_dropped top_k'])
  expect(bodyOf({ top_k: 5 })).not.toHaveProperty('top_k')
  expect(bodyOf({ top_k: 5 }, VLLM)).toMatchObject({ top_k: 5 })
})

const CLOSED = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false }

test.each([
  [CLOSED, true],
  [{ type: 'object', properties: { a: {} } }, false],
])('R30: a JSON schema becomes response_format (%j, strict: %s)', (schema, strict) => {
  const response_format = { type: 'json_schema', json_schema: { name: 'output', schema, strict } }
  const format = { type: 'json_schema', schema }
  expect(bodyOf({ output_config: { format } })).toMatchObject({ response_format })
  expect(bodyOf({ output_format: format })).toMatchObject({ response_format })
})

test('R30: an upstream that takes no schema is told in the system prompt, with a note', () => {
  const fields = { system: 'Be brief.', output_config: { format: { type: 'json_schema', schema: CLOSED } } }
  const result = encoded(fields, { profile: 'deepseek', model: 'deepseek-chat' })
  expect(result.body['response_format']).toEqual({ type: 'json_object' })
  expect(result.messages[0]?.content).toMatch(
    /^Be brief\.\n\nAnswer with one JSON object .*\n\{"type":"object"/,
  )
  expect(noted(result)).toEqual(['schema_as_prompt output_config.format'])
  const none = { profile: { ...profiles.generic, responseFormat: 'none' as const } }
  expect(bodyOf(fields, none)).not.toHaveProperty('response_format')
  expect(encoded(fields, none).messages[0]?.content).toContain('JSON schema')
})

test.each([
  ['openai', undefined],
  ['deepseek', undefined],
  ['vllm', 'json_schema'],
] as const)(
  'R30: a schema of a list, which no field of %s takes, is in the system prompt',
  (profile, type) => {
    const schema = { type: 'array', items: { type: 'string' } }
    const fields = { output_config: { format: { type: 'json_schema', schema } } }
    const { body, messages } = encoded(fields, { profile, model: 'some-model' })
    expect((body['response_format'] as { type: string } | undefined)?.type).toBe(type)
    const words = 'Answer with JSON that fits this JSON schema, and with nothing else:\n'
    if (type === undefined) expect(messages[0]?.content).toBe(words + JSON.stringify(schema))
  },
)

test('R30: a schema whose top is a reference is what it refers to', () => {
  const schema = { $ref: '#/$defs/A', $defs: { A: CLOSED } }
  const { body } = encoded({ output_config: { format: { type: 'json_schema', schema } } })
  const json_schema = { name: 'output', schema: { ...CLOSED, $defs: { A: CLOSED } }, strict: true }
  expect(body['response_format']).toEqual({ type: 'json_schema', json_schema })
})

test('R30: some JSON object is asked for in the prompt too, where it does not begin with the word', () => {
  const told = (['Be brief.', 'Answer in Json.'] as const).map((system) => {
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const request = { model: 'm', system, messages, extras: { json_object: true } }
    const { body, notes } = encodeRequest(request, { model: 'gpt-4o', profile: chatProfiles.openai })
    expect(body['response_format']).toEqual({ type: 'json_object' })
    return [(body['messages'] as ChatMessage[])[0]?.content, notes.map(({ code }) => code)]
  })
  const words = 'Be brief.\n\nAnswer with one JSON object, and with nothing else.'
  expect(told).toEqual([
    [words, ['json_instruction_added']],
    ['Answer in Json.', []],
  ])
})

test('R30: a format that nobody knows is ignored with a note', () => {
  const result = encoded({ output_config: { format: { type: 'of_tomorrow' } } })
  expect(result.body).not.toHaveProperty('response_format')
  expect(noted(result)).toEqual(['field_ignored output_config.format'])
})

const USER = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: 'a', session_id: 'session-1' })

test('a tier of service that only OpenAI has reaches its servers, and leaves a note elsewhere', () => {
  const request = {
    model: 'm',
    messages: [{ role: 'user' as const, content: 'Hi' }],
    extras: { service_tier: 'flex' },
  }
  const told = (['openai', 'generic'] as const).map((name) => {
    const { body, notes } = encodeRequest(request, { model: 'gpt-4o', profile: chatProfiles[name] })
    return [body['service_tier'], notes.map(({ path }) => path)]
  })
  expect(told).toEqual([
    ['flex', []],
    [undefined, ['service_tier']],
  ])
})

test('how much to say reaches the models of OpenAI that take it, and what is for us only leaves no note', () => {
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const extras = { verbosity: 'low', optional_tools: ['web_search'] }
  const told = (['gpt-5.1', 'gpt-4o'] as const).map((model) => {
    const target = { model, profile: chatProfiles.openai }
    const { body, notes } = encodeRequest({ model: 'm', messages, extras }, target)
    return [body['verbosity'], notes.map(({ path }) => path)]
  })
  expect(told).toEqual([
    ['low', []],
    [undefined, ['verbosity']],
  ])
})

test('R31: the user id is hashed into safety_identifier, its session id is the prompt_cache_key', () => {
  const body = bodyOf({ metadata: { user_id: USER } })
  expect(body).toMatchObject({ safety_identifier: digest(USER), prompt_cache_key: 'session-1' })
  expect(digest(USER)).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(body)).not.toContain('dddd')
})

test('R31: an upstream that knows only one of them gets one, and one that knows none gets none', () => {
  const openrouter = encoded({ metadata: { user_id: USER } }, { profile: 'openrouter' })
  expect(openrouter.body).not.toHaveProperty('safety_identifier')
  expect(openrouter.body['prompt_cache_key']).toBe('session-1')
  expect(noted(openrouter)).toEqual(['user_id_dropped metadata.user_id'])
  expect(Object.keys(bodyOf({ metadata: { user_id: USER } }, GENERIC))).toEqual([
    'model',
    'max_tokens',
    'messages',
  ])
})

test.each([
  ['user_abc_account__session_5e55-10n', '5e55-10n'],
  [JSON.stringify({ session_id: 's'.repeat(100) }), 's'.repeat(64)],
  [JSON.stringify({ session_id: '' }), undefined],
  [JSON.stringify({ session_id: 1 }), undefined],
  ['"a string"', undefined],
  ['somebody', undefined],
])('R31: the session of the user id %s is %s', (user_id, expected) => {
  expect(bodyOf({ metadata: { user_id } })['prompt_cache_key']).toBe(expected)
})

test.each([{}, { user_id: '' }, { user_id: null }])(
  'R31: without a user id (%j) there is neither',
  (metadata) => {
    const body = bodyOf({ metadata })
    expect(Object.keys(body)).toEqual(['model', 'max_completion_tokens', 'messages'])
  },
)

test('R32: a stream asks for usage, unless the profile forbids it', () => {
  expect(bodyOf({ stream: true })).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  const mistral = bodyOf({ stream: true }, { profile: 'mistral' })
  expect(mistral['stream']).toBe(true)
  expect(mistral).not.toHaveProperty('stream_options')
})

test.each([false, undefined])('R32: without a stream (%s) neither field is there', (stream) => {
  const body = bodyOf({ stream })
  expect(body).not.toHaveProperty('stream')
  expect(body).not.toHaveProperty('stream_options')
})

test.each([
  'context_management',
  'compaction',
  'diagnostics',
  'fallbacks',
  'fallback_credit_token',
  'inference_geo',
  'service_tier',
  'speed',
  'betas',
  'user_profile_id',
  'workspace_id',
  'safeguards',
  'of_tomorrow',
])('R33: the field %s is ignored with a note, never a 400', (field) => {
  const result = encoded({ [field]: 'anything' })
  expect(Object.keys(result.body)).toEqual(['model', 'max_completion_tokens', 'messages'])
  expect(noted(result)).toEqual([`field_ignored ${field}`])
})

test('R33: a task budget and a cache mark of the whole request leave notes', () => {
  const result = encoded({
    cache_control: { type: 'ephemeral' },
    output_config: { task_budget: { total: 1 } },
  })
  expect(noted(result)).toEqual([
    'cache_control_dropped cache_control',
    'field_ignored output_config.task_budget',
  ])
})

test('R33: fields that are null count as absent', () => {
  const result = encoded({
    speed: null,
    of_tomorrow: null,
    temperature: null,
    top_k: null,
    stop_sequences: null,
  })
  expect(noted(result)).toEqual([])
})
