import type { HubExtras, HubRequest } from '../../hub/request.ts'
import { knownDigest } from '../../identity/digest.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { noteAnthropicOnly } from '../anthropic-only.ts'
import { JSON_INSTRUCTION, noteExtras } from '../extras.ts'
import type { Encoding } from './encoding.ts'
import { encodeOutputSchema, isStrictSchema } from '../../encode/schema.ts'

/** The fields of a request that are neither messages nor tools. */
export function encodeParameters(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  noteAnthropicOnly(request, encoding.notes)
  return {
    ...tokenLimit(request, encoding),
    ...sampling(request, encoding),
    ...stop(request, encoding),
    ...responseFormat(request, encoding),
    ...identity(request, encoding),
    ...wishes(request, encoding),
    ...streaming(request, encoding),
  }
}

/** The stop sequences that the upstream does not take, to be matched in its answer. */
export function ownStopSequences(request: HubRequest, { profile }: Encoding): readonly string[] {
  const sequences = stopSequences(request)
  return sequences.length > profile.maxStopSequences ? sequences : []
}

/** The stop sequences of a request; empty ones would stop everything. */
export function stopSequences({ stop_sequences: sequences }: HubRequest): readonly string[] {
  return (sequences ?? []).filter((sequence) => sequence !== '')
}

function tokenLimit(
  { max_tokens: wanted }: HubRequest,
  { profile, notes }: Encoding,
): Record<string, unknown> {
  if (wanted === undefined) return {}
  const limit = Math.max(1, Math.min(wanted, profile.maxOutputTokens ?? wanted))
  if (limit !== wanted) {
    notes.add('max_tokens_changed', 'max_tokens', `${wanted} became ${limit}, which the model accepts`)
  }
  return { [profile.tokenLimitField]: limit }
}

function sampling(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const field of ['temperature', 'top_p', 'top_k'] as const) {
    if (request[field] === undefined || request[field] === null) continue
    const isTaken = field === 'top_k' ? profile.takesTopK : profile.takesSampling
    if (isTaken) fields[field] = request[field]
    else notes.add('sampling_dropped', field, 'the model refuses this field')
  }
  return fields
}

function stop(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const sequences = stopSequences(request)
  if (sequences.length === 0) return {}
  if (ownStopSequences(request, encoding).length === 0) return { stop: sequences }
  const { maxStopSequences } = encoding.profile
  encoding.notes.add(
    'stop_matched_here',
    'stop_sequences',
    `the upstream takes ${maxStopSequences}: matched in its answer instead`,
  )
  return {}
}

/** What a client of another dialect asked for in OpenAI's own words. */
function wishes(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const { extras = {} } = request
  const taken = new Set<keyof HubExtras>(['seed', 'json_object', 'schema_name', 'schema_strict'])
  if (profile.takesSampling) for (const field of SAMPLING_WISHES) taken.add(field)
  if (profile.takesPromptCacheKey) taken.add('prompt_cache_key')
  if (profile.takesSafetyIdentifier) taken.add('user')
  noteExtras(request, taken, notes)
  const sent = SENT_WISHES.filter((field) => extras[field] !== undefined && taken.has(field))
  return Object.fromEntries(sent.map((field) => [field, extras[field]]))
}

const SAMPLING_WISHES = ['frequency_penalty', 'presence_penalty', 'logit_bias'] as const
const SENT_WISHES = ['seed', ...SAMPLING_WISHES, 'prompt_cache_key', 'user'] as const

function responseFormat(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const schema = outputSchema(request)
  if (schema === undefined) {
    if (request.extras?.json_object === true) return jsonObject(profile.responseFormat)
    if (request.output_config?.format ?? request.output_format)
      notes.add('field_ignored', 'output_config.format', 'a format that is no JSON schema')
    return {}
  }
  if (profile.responseFormat === 'json_schema') {
    const clean = encodeOutputSchema(schema, {
      rule: profile.schema,
      path: 'output_config.format.schema',
      notes,
    })
    const { schema_name: name = 'output', schema_strict: isWanted } = request.extras ?? {}
    const strict = isWanted !== false && isStrictSchema(clean)
    return { response_format: { type: 'json_schema', json_schema: { name, schema: clean, strict } } }
  }
  notes.add(
    'schema_as_prompt',
    'output_config.format',
    'the upstream takes no schema: it stands in the system prompt',
  )
  return profile.responseFormat === 'json_object' ? jsonObject(profile.responseFormat) : {}
}

function jsonObject(taken: Encoding['profile']['responseFormat']): Record<string, unknown> {
  return taken === 'none' ? {} : { response_format: { type: 'json_object' } }
}

function outputSchema({
  output_config: config,
  output_format: old,
}: HubRequest): Record<string, unknown> | undefined {
  return (config?.format ?? old)?.schema
}

/** What the system prompt must say where the upstream cannot be given a schema. */
export function schemaInstruction(request: HubRequest, { profile }: Encoding): string {
  const schema = outputSchema(request)
  if (schema === undefined && request.extras?.json_object === true && profile.responseFormat === 'none')
    return JSON_INSTRUCTION
  if (schema === undefined || profile.responseFormat === 'json_schema') return ''
  return `Answer with one JSON object that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`
}

/** Who asks: hashed, because the client's user id may name a person's account. */
function identity({ metadata }: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const user = metadata?.user_id
  if (!user) return {}
  const session = profile.takesPromptCacheKey ? sessionOf(user) : undefined
  if (!profile.takesSafetyIdentifier) {
    notes.addOnce('user_id_dropped', 'metadata.user_id', 'the upstream has no equivalent')
  }
  return {
    ...(profile.takesSafetyIdentifier ? { safety_identifier: knownDigest(user) } : {}),
    ...(session === undefined ? {} : { prompt_cache_key: session }),
  }
}

const SESSION_SUFFIX = /_session_([\w-]{1,64})$/

/** The session id inside Claude Code's user id: a JSON string today, a suffix in older versions. */
function sessionOf(user: string): string | undefined {
  try {
    const value: unknown = JSON.parse(user)
    const session = isJsonObject(value) ? value['session_id'] : undefined
    return typeof session === 'string' && session !== '' ? session.slice(0, 64) : undefined
  } catch {
    return SESSION_SUFFIX.exec(user)?.[1]
  }
}

function streaming({ stream }: HubRequest, { profile }: Encoding): Record<string, unknown> {
  if (stream !== true) return {}
  return profile.takesStreamOptions
    ? { stream: true, stream_options: { include_usage: true } }
    : { stream: true }
}
