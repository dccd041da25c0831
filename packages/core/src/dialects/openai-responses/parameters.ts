import { sessionOfUserId } from '../../clients/habits.ts'
import {
  jsonInstruction,
  noteOtherFormat,
  noteSchemaAsPrompt,
  outputSchema,
  schemaInstruction,
  schemaName,
} from '../../encode/output-schema.ts'
import { encodeSampling, noteStopMatchedHere, outputLimit } from '../../encode/parameters.ts'
import { withoutTopReference } from '../../encode/local-reference.ts'
import { encodeOutputSchema, isObjectSchema, isStrictSchema } from '../../encode/schema.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import { knownDigest } from '../../identity/digest.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { noteAnthropicOnly } from '../anthropic-only.ts'
import { noteExtras } from '../extras.ts'
import type { Encoding } from './encoding.ts'

/** Wishes that the API has a field for. */
const TAKEN: ReadonlySet<keyof HubExtras> = new Set([
  'json_object',
  'schema_name',
  'schema_strict',
  'verbosity',
  'prompt_cache_key',
  'user',
  'metadata',
  'reasoning_summary',
  'optional_tools',
  'service_tier',
])
const MAX_METADATA = 16
const MAX_METADATA_KEY = 64
const MAX_METADATA_VALUE = 512
const MAX_CACHE_KEY = 64

/** The fields of a request that are neither input nor tools. */
export function encodeParameters(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  noteAnthropicOnly(request, encoding.notes)
  noteExtras(request, TAKEN, encoding.notes)
  noteStopMatchedHere(request, 0, encoding)
  return {
    ...tokenLimit(request, encoding),
    ...encodeSampling(request, encoding.profile.takesSampling ? ['temperature', 'top_p'] : [], encoding),
    ...text(request, encoding),
    ...identity(request, encoding),
    ...metadata(request, encoding),
    ...serviceTier(request, encoding),
    ...streaming(request, encoding),
  }
}

function tokenLimit(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const range = { min: profile.minOutputTokens, max: profile.maxOutputTokens }
  const limit = outputLimit(request, range, notes)
  return limit === undefined ? {} : { max_output_tokens: limit }
}

/** What the answer's text shall be like. */
function text(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const fields = { ...format(request, encoding), ...verbosity(request, encoding) }
  return Object.keys(fields).length === 0 ? {} : { text: fields }
}

function format(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { profile, notes } = encoding
  const schema = outputSchema(request)
  if (schema === undefined) {
    noteOtherFormat(request, notes)
    return request.extras?.json_object ? JSON_OBJECT : {}
  }
  if (isHeldTo(schema, profile)) return schemaFormat(schema, request, encoding)
  noteSchemaAsPrompt(notes)
  return isObjectSchema(schema) ? JSON_OBJECT : {}
}

const JSON_OBJECT = { format: { type: 'json_object' } } as const

/** Whether an answer can be held to a schema, which has to be one of objects. */
function isHeldTo(schema: JsonObject, { responseFormat }: Encoding['profile']): boolean {
  return responseFormat === 'json_schema' && isObjectSchema(schema)
}

function schemaFormat(
  schema: JsonObject,
  request: HubRequest,
  { profile, notes }: Encoding,
): Record<string, unknown> {
  const path = 'output_config.format.schema'
  const clean = encodeOutputSchema(withoutTopReference(schema), { rule: profile.schema, path, notes })
  const strict = isStrictSchema(clean) && request.extras?.schema_strict !== false
  if (request.extras?.schema_strict && !strict) {
    notes.add('strict_dropped', path, 'the upstream cannot enforce this schema')
  }
  return { format: { type: 'json_schema', name: schemaName(request), schema: clean, strict } }
}

/** What must be said where the answer shall be JSON of no schema that the upstream can be given. */
export function promptedSchema(request: HubRequest, { profile, notes }: Encoding): string {
  const schema = outputSchema(request)
  if (schema !== undefined) return isHeldTo(schema, profile) ? '' : schemaInstruction(schema)
  // The API does not look for the word in its instructions.
  return request.extras?.json_object === true ? jsonInstruction({ messages: request.messages }, notes) : ''
}

function serviceTier({ extras }: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  if (extras?.service_tier === undefined) return {}
  if (profile.takesServiceTier) return { service_tier: extras.service_tier }
  notes.add('field_ignored', 'service_tier', 'only OpenAI has this tier of service')
  return {}
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
  const key = extras?.prompt_cache_key ?? (user ? sessionOfUserId(user) : undefined)
  if (key !== undefined && profile.takesPromptCacheKey) fields['prompt_cache_key'] = cacheKey(key)
  return fields
}

/** A key that is too long must stay another one than all others with the same beginning. */
function cacheKey(key: string): string {
  return key.length <= MAX_CACHE_KEY && key.isWellFormed() ? key : knownDigest(key).slice(0, MAX_CACHE_KEY)
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
