import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import {
  expectObject,
  expectOptional,
  expectShallowObject,
  expectText,
  unexpected,
  unexpectedValue,
} from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** The part of a hub request that is neither its conversation nor its tools. */
export type Parameters = Partial<
  Pick<
    HubRequest,
    | 'max_tokens'
    | 'temperature'
    | 'top_p'
    | 'thinking'
    | 'output_config'
    | 'service_tier'
    | 'stream'
    | 'extras'
  >
>

type HubEffort = NonNullable<NonNullable<HubRequest['output_config']>['effort']>

/** OpenAI knows one level more than Anthropic; an encoder says it in its upstream's words. */
const EFFORTS: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

/** What these mean is the default, or has no meaning for an answer. */
const SILENT: ReadonlySet<string> = new Set([
  'include',
  'store',
  'stream',
  'stream_options',
  'input',
  'instructions',
  'model',
  'previous_response_id',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
])

/** What is read here. */
const READ: ReadonlySet<string> = new Set([
  'max_output_tokens',
  'temperature',
  'top_p',
  'reasoning',
  'text',
  'service_tier',
  'metadata',
  'prompt_cache_key',
  'safety_identifier',
  'user',
])

/** Fields whose loss would change what an answer means. */
const REFUSED: Readonly<Record<string, string>> = {
  conversation: 'conversations are not kept here: use previous_response_id, or send all items',
  prompt: 'stored prompts are not known here: send instructions and input',
}

/** Settings that come with the request, and those that an item of its input changes. */
export interface Settings {
  readonly effort?: string | undefined
  readonly verbosity?: string | undefined
}

/** Reads everything but the conversation and its tools; a field nobody knows is left out with a note. */
export function decodeParameters(body: JsonObject, updates: Settings, notes: Notes): Parameters {
  for (const [name, value] of Object.entries(body)) noteField(name, value, notes)
  const reasoning = optionalObject(body, 'reasoning')
  const text = optionalObject(body, 'text')
  return {
    ...field('max_tokens', count(body.max_output_tokens, 'max_output_tokens')),
    ...field('temperature', numberUpTo(2, body.temperature, 'temperature')),
    ...field('top_p', numberUpTo(1, body.top_p, 'top_p')),
    ...field('stream', optionalBoolean(body, 'stream')),
    ...decodeServiceTier(body, notes),
    ...withOutputConfig(decodeReasoning(reasoning, updates), decodeFormat(text, notes)),
    ...decodeExtras(body, { reasoning, text, updates }),
  }
}

function noteField(name: string, value: unknown, notes: Notes): void {
  if (value === null || value === undefined || SILENT.has(name) || READ.has(name)) return
  const refusal = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (refusal !== undefined) throw invalidRequest(name, refusal)
  // The default: an input that is too long is an error.
  if (name === 'truncation' && value === 'disabled') return
  if (value === false || value === 0) return
  notes.add('field_ignored', name, reasonFor(name))
}

function reasonFor(name: string): string {
  if (name === 'truncation') return 'nothing is cut from a conversation: one that is too long is an error'
  if (name === 'background') return 'the answer is not made in the background: this request waits for it'
  return 'a field that has no meaning here'
}

/** Effort and format are in one object of the hub's. */
function withOutputConfig(reasoning: Parameters, format: Parameters): Parameters {
  const config = { ...reasoning.output_config, ...format.output_config }
  return { ...reasoning, ...(Object.keys(config).length > 0 && { output_config: config }) }
}

function decodeServiceTier({ service_tier: tier }: JsonObject, notes: Notes): Parameters {
  if (tier === undefined || tier === null) return {}
  if (tier === 'auto') return { service_tier: 'auto' }
  if (tier === 'default') return { service_tier: 'standard_only' }
  notes.add('field_ignored', 'service_tier', 'a tier of OpenAI')
  return {}
}

function decodeReasoning(reasoning: JsonObject | undefined, updates: Settings): Parameters {
  if (reasoning === undefined && updates.effort === undefined) return {}
  const effort = updates.effort ?? reasoning?.['effort'] ?? undefined
  if (effort === undefined) return { thinking: { type: 'adaptive' } }
  if (typeof effort !== 'string') throw unexpected('reasoning.effort', 'string', effort)
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  if (!isEffort(effort)) {
    throw unexpectedValue('reasoning.effort', 'one of none, minimal, low, medium, high, xhigh, max', effort)
  }
  return { thinking: { type: 'adaptive' }, output_config: { effort } }
}

function isEffort(effort: string): effort is HubEffort {
  return EFFORTS.has(effort)
}

interface ExtraSources {
  readonly reasoning: JsonObject | undefined
  readonly text: JsonObject | undefined
  readonly updates: Settings
}

function decodeExtras(body: JsonObject, { reasoning, text, updates }: ExtraSources): Parameters {
  const extras: HubExtras = {
    ...textField('verbosity', updates.verbosity ?? text?.['verbosity']),
    ...textField('prompt_cache_key', body.prompt_cache_key),
    ...textField('user', body.safety_identifier ?? body.user),
    ...textField('reasoning_summary', reasoning?.['summary'] ?? reasoning?.['generate_summary']),
    ...formatExtras(text),
    ...metadataOf(body),
  }
  return Object.keys(extras).length === 0 ? {} : { extras }
}

function formatExtras(text: JsonObject | undefined): HubExtras {
  const format = text === undefined ? undefined : optionalObject(text, 'format', 'text')
  if (format?.type === 'json_object') return { json_object: true }
  if (format?.type !== 'json_schema') return {}
  const { name, strict } = format
  return { ...textField('schema_name', name), ...(typeof strict === 'boolean' && { schema_strict: strict }) }
}

function decodeFormat(text: JsonObject | undefined, notes: Notes): Parameters {
  const format = text === undefined ? undefined : optionalObject(text, 'format', 'text')
  if (format === undefined) return {}
  const type = expectText(format, 'type', 'text.format')
  if (type === 'json_schema') {
    const schema = expectShallowObject(format.schema, 'text.format.schema')
    return { output_config: { format: { type, schema } } }
  }
  if (type !== 'text' && type !== 'json_object')
    notes.add('field_ignored', 'text.format', `a format of the type '${type}' is not known here`)
  return {}
}

function metadataOf(body: JsonObject): HubExtras {
  const metadata = optionalObject(body, 'metadata')
  if (metadata === undefined) return {}
  const pairs = Object.entries(metadata).map(([key, value]) => {
    if (typeof value !== 'string') throw unexpected(`metadata.${key}`, 'string', value)
    return [key, value] as const
  })
  return pairs.length === 0 ? {} : { metadata: Object.fromEntries(pairs) }
}

function field<Key extends string, Value>(name: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key loses its type
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Key, Value>>
}

function textField<Key extends string>(name: Key, value: unknown): Partial<Record<Key, string>> {
  return field(name, typeof value === 'string' && value !== '' ? value : undefined)
}

function optionalObject(body: JsonObject, key: string, path = ''): JsonObject | undefined {
  const value = body[key]
  if (value === undefined || value === null) return undefined
  return expectObject(value, path === '' ? key : `${path}.${key}`)
}

function optionalBoolean(body: JsonObject, key: string): boolean | undefined {
  expectOptional(body, key, { type: 'boolean', path: '' })
  return body[key] === true ? true : undefined
}

function count(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value
  throw unexpectedValue(path, 'integer of at least 1', value)
}

function numberUpTo(limit: number, value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value >= 0 && value <= limit) return value
  throw unexpectedValue(path, `number from 0 to ${limit}`, value)
}
