import { sessionOfUserId } from '../../clients/habits.ts'
import { stopSequences } from '../../encode/encoding.ts'
import {
  jsonInstruction,
  noteOtherFormat,
  noteSchemaAsPrompt,
  outputSchema,
  schemaInstruction,
  schemaName,
} from '../../encode/output-schema.ts'
import { encodeSampling, noteStopMatchedHere, outputLimit } from '../../encode/parameters.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import { knownDigest } from '../../identity/digest.ts'
import { noteAnthropicOnly } from '../anthropic-only.ts'
import { JSON_INSTRUCTION, noteExtras } from '../extras.ts'
import type { Encoding } from './encoding.ts'
import { encodeOutputSchema, isObjectSchema, isStrictSchema } from '../../encode/schema.ts'
import { withoutTopReference } from '../../encode/local-reference.ts'
import type { JsonObject } from '../../json/json-object.ts'

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

function tokenLimit(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const limit = outputLimit(request, { min: 1, max: profile.maxOutputTokens }, notes)
  return limit === undefined ? {} : { [profile.tokenLimitField]: limit }
}

function sampling(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { takesSampling, takesTopK } = encoding.profile
  const taken = [
    ...(takesSampling ? (['temperature', 'top_p'] as const) : []),
    ...(takesTopK ? (['top_k'] as const) : []),
  ]
  return encodeSampling(request, taken, encoding)
}

function stop(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  if (noteStopMatchedHere(request, encoding.profile.maxStopSequences, encoding)) return {}
  const sequences = stopSequences(request)
  return sequences.length === 0 ? {} : { stop: sequences }
}

/** What a client of another dialect asked for in OpenAI's own words. */
function wishes(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const { extras = {} } = request
  const taken = new Set<keyof HubExtras>([
    'seed',
    'json_object',
    'schema_name',
    'schema_strict',
    'optional_tools',
  ])
  if (profile.takesSampling) for (const field of SAMPLING_WISHES) taken.add(field)
  if (profile.takesPromptCacheKey) taken.add('prompt_cache_key')
  if (profile.takesSafetyIdentifier) taken.add('user')
  if (profile.takesServiceTier) taken.add('service_tier')
  if (profile.takesVerbosity) taken.add('verbosity')
  noteExtras(request, taken, notes)
  const sent = SENT_WISHES.filter((field) => extras[field] !== undefined && taken.has(field))
  return Object.fromEntries(sent.map((field) => [field, extras[field]]))
}

const SAMPLING_WISHES = ['frequency_penalty', 'presence_penalty', 'logit_bias'] as const
const SENT_WISHES = [
  'seed',
  ...SAMPLING_WISHES,
  'prompt_cache_key',
  'user',
  'service_tier',
  'verbosity',
] as const

function responseFormat(request: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const schema = outputSchema(request)
  if (schema === undefined) {
    if (request.extras?.json_object === true) return jsonObject(profile.responseFormat)
    noteOtherFormat(request, notes)
    return {}
  }
  const form = formOf(schema, profile)
  if (form === 'json_schema') return schemaFormat(schema, request, { profile, notes })
  noteSchemaAsPrompt(notes)
  return jsonObject(form)
}

/** How the upstream is told the schema of an answer: most can be held to objects only. */
function formOf(schema: JsonObject, profile: Encoding['profile']): Encoding['profile']['responseFormat'] {
  return profile.takesAnySchema || isObjectSchema(schema) ? profile.responseFormat : 'none'
}

function schemaFormat(
  schema: JsonObject,
  request: HubRequest,
  { profile, notes }: Pick<Encoding, 'profile' | 'notes'>,
): Record<string, unknown> {
  const path = 'output_config.format.schema'
  const clean = encodeOutputSchema(withoutTopReference(schema), { rule: profile.schema, path, notes })
  const { schema_strict: wanted } = request.extras ?? {}
  const strict = wanted !== false && isStrictSchema(clean)
  if (wanted === true && !strict) notes.add('strict_dropped', path, 'the upstream cannot enforce this schema')
  const named = { name: schemaName(request), schema: clean, strict }
  return { response_format: { type: 'json_schema', json_schema: named } }
}

function jsonObject(taken: Encoding['profile']['responseFormat']): Record<string, unknown> {
  return taken === 'none' ? {} : { response_format: { type: 'json_object' } }
}

/** What the system prompt must say where the upstream cannot be given a schema. */
export function promptedSchema(request: HubRequest, { profile, notes }: Encoding): string {
  const schema = outputSchema(request)
  if (schema !== undefined) return formOf(schema, profile) === 'json_schema' ? '' : schemaInstruction(schema)
  if (request.extras?.json_object !== true) return ''
  return profile.responseFormat === 'none' ? JSON_INSTRUCTION : jsonInstruction(request, notes)
}

/** Who asks: hashed, because the client's user id may name a person's account. */
function identity({ metadata }: HubRequest, { profile, notes }: Encoding): Record<string, unknown> {
  const user = metadata?.user_id
  if (!user) return {}
  const session = profile.takesPromptCacheKey ? sessionOfUserId(user) : undefined
  if (!profile.takesSafetyIdentifier) {
    notes.addOnce('user_id_dropped', 'metadata.user_id', 'the upstream has no equivalent')
  }
  return {
    ...(profile.takesSafetyIdentifier ? { safety_identifier: knownDigest(user) } : {}),
    ...(session === undefined ? {} : { prompt_cache_key: session }),
  }
}

function streaming({ stream }: HubRequest, { profile }: Encoding): Record<string, unknown> {
  if (stream !== true) return {}
  return profile.takesStreamOptions
    ? { stream: true, stream_options: { include_usage: true } }
    : { stream: true }
}
