import { encodeOutputSchema, isStrictSchema } from '../../encode/schema.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import { knownDigest } from '../../identity/digest.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { noteAnthropicOnly } from '../anthropic-only.ts'
import type { Encoding } from './encoding.ts'

/** Wishes that the API has no field for. */
const UNHEARD = [
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
] as const satisfies (keyof HubExtras)[]
const MAX_METADATA = 16
const MAX_METADATA_KEY = 64
const MAX_METADATA_VALUE = 512
const MAX_CACHE_KEY = 64
const MAX_NAME = 64

/** The fields of a request that are neither input nor tools. */
export function encodeParameters(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  noteAnthropicOnly(request, encoding.notes)
  noteUnheard(request, encoding)
  return {
    ...tokenLimit(request, encoding),
    ...sampling(request, encoding),
    ...text(request, encoding),
    ...identity(request, encoding),
    ...metadata(request, encoding),
    ...streaming(request, encoding),
  }
}

/** The stop sequences of a request; empty ones would stop everything. */
export function stopSequences({ stop_sequences: sequences }: HubRequest): readonly string[] {
  return (sequences ?? []).filter((sequence) => sequence !== '')
}

function noteUnheard(request: HubRequest, { notes }: Encoding): void {
  for (const field of UNHEARD) {
    if (request.extras?.[field] !== undefined)
      notes.add('field_ignored', field, 'the upstream has no such field')
  }
  if (stopSequences(request).length > 0) {
    notes.add('stop_matched_here', 'stop_sequences', 'the upstream takes none: matched in its answer instead')
  }
}

function tokenLimit(
  { max_tokens: wanted }: HubRequest,
  { profile, notes }: Encoding,
): Record<string, unknown> {
  if (wanted === undefined) return {}
  const limit = Math.max(profile.minOutputTokens, Math.min(wanted, profile.maxOutputTokens ?? wanted))
  if (limit !== wanted) {
    notes.add('max_tokens_changed', 'max_tokens', `${wanted} became ${limit}, which the model accepts`)
  }
  return { max_output_tokens: limit }
}

function sampling(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const field of ['temperature', 'top_p', 'top_k'] as const) {
    if (request[field] === undefined || request[field] === null) continue
    if (profile.takesSampling && field !== 'top_k') fields[field] = request[field]
    else notes.add('sampling_dropped', field, 'the model refuses this field')
  }
  return fields
}

/** What the answer's text shall be like. */
function text(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const fields = { ...format(request, encoding), ...verbosity(request, encoding) }
  return Object.keys(fields).length === 0 ? {} : { text: fields }
}

function format(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { profile, notes } = encoding
  const wanted = request.output_config?.format ?? request.output_format
  const schema: JsonObject | undefined = wanted?.schema
  if (schema === undefined) {
    if (wanted) notes.add('field_ignored', 'output_config.format', 'a format that is no JSON schema')
    return request.extras?.json_object ? JSON_OBJECT : {}
  }
  if (profile.responseFormat === 'json_schema') return schemaFormat(schema, request, encoding)
  const message = 'the upstream takes no schema: it is in the instructions'
  notes.add('schema_as_prompt', 'output_config.format', message)
  return JSON_OBJECT
}

const JSON_OBJECT = { format: { type: 'json_object' } } as const

function schemaFormat(
  schema: JsonObject,
  request: HubRequest,
  { profile, notes }: Encoding,
): Record<string, unknown> {
  const path = 'output_config.format.schema'
  const clean = encodeOutputSchema(schema, { rule: profile.schema, path, notes })
  const strict = isStrictSchema(clean) && request.extras?.schema_strict !== false
  if (request.extras?.schema_strict && !strict) {
    notes.add('strict_dropped', path, 'the upstream cannot enforce this schema')
  }
  return { format: { type: 'json_schema', name: schemaName(request), schema: clean, strict } }
}

function schemaName({ extras }: HubRequest): string {
  const name = (extras?.schema_name ?? '').replaceAll(/[^\w-]/g, '_').slice(0, MAX_NAME)
  return name === '' ? 'output' : name
}

/** What the instructions must say where the upstream cannot be given a schema. */
export function schemaInstruction(request: HubRequest, { profile }: Encoding): string {
  const schema = (request.output_config?.format ?? request.output_format)?.schema
  if (schema === undefined || profile.responseFormat === 'json_schema') return ''
  return `Answer with one JSON object that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`
}

function verbosity({ extras }: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  if (extras?.verbosity === undefined) return {}
  if (profile.takesVerbosity) return { verbosity: extras.verbosity }
  notes.add('field_ignored', 'verbosity', 'the model refuses this field')
  return {}
}

/** Who asks: hashed, because the client's user id may name a person's account. */
function identity(
  { metadata: data, extras }: HubRequest,
  { profile, notes }: Encoding,
): Record<string, unknown> {
  const user = data?.user_id || extras?.user
  const fields: Record<string, unknown> = {}
  if (user && profile.takesSafetyIdentifier) fields['safety_identifier'] = knownDigest(user)
  else if (user) notes.addOnce('user_id_dropped', 'metadata.user_id', 'the upstream has no equivalent')
  const key = extras?.prompt_cache_key ?? (user ? sessionOf(user) : undefined)
  if (key !== undefined && profile.takesPromptCacheKey) fields['prompt_cache_key'] = cacheKey(key)
  return fields
}

/** A key that is too long must stay another one than all others with the same beginning. */
function cacheKey(key: string): string {
  return key.length <= MAX_CACHE_KEY ? key : knownDigest(key).slice(0, MAX_CACHE_KEY)
}

const SESSION_SUFFIX = /_session_([\w-]{1,64})$/

/** The session id inside Claude Code's user id: a JSON string today, a suffix in older versions. */
function sessionOf(user: string): string | undefined {
  try {
    const value: unknown = JSON.parse(user)
    const session = isJsonObject(value) ? value['session_id'] : undefined
    return typeof session === 'string' && session !== '' ? session : undefined
  } catch {
    return SESSION_SUFFIX.exec(user)?.[1]
  }
}

function metadata({ extras }: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const given = Object.entries(extras?.metadata ?? {})
  if (given.length === 0) return {}
  const taken = profile.takesMetadata ? given.filter(isTaken).slice(0, MAX_METADATA) : []
  if (taken.length < given.length) {
    notes.add('metadata_dropped', 'metadata', 'more, or longer, than the upstream takes')
  }
  return taken.length === 0 ? {} : { metadata: Object.fromEntries(taken) }
}

function isTaken([key, value]: readonly [string, string]): boolean {
  return key.length <= MAX_METADATA_KEY && value.length <= MAX_METADATA_VALUE
}

function streaming({ stream }: HubRequest, { profile }: Encoding): Record<string, unknown> {
  if (stream !== true) return {}
  // Padding against eavesdroppers doubles what a delta weighs; the connection is encrypted anyway.
  return profile.takesStreamOptions
    ? { stream: true, stream_options: { include_obfuscation: false } }
    : { stream: true }
}
