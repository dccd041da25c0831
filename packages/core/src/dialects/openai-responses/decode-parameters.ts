import { expectEffort } from '../../decode/effort.ts'
import { noteOtherFields } from '../../decode/other-fields.ts'
import { decodeServiceTier } from '../../decode/service-tier.ts'
import { present } from '../../json/present.ts'
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

const READ_OF_REASONING: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary'])
const READ_OF_TEXT: ReadonlySet<string> = new Set(['format', 'verbosity'])

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

/** Reads everything but the conversation and its tools; an unknown field is left out with a note. */
export function decodeParameters(body: JsonObject, updates: Settings, notes: Notes): Parameters {
  for (const [name, value] of Object.entries(body)) noteField(name, value, notes)
  noteIncludes(body, notes)
  const reasoning = optionalObject(body, 'reasoning')
  if (reasoning !== undefined) noteOtherFields(reasoning, READ_OF_REASONING, { path: 'reasoning', notes })
  const text = optionalObject(body, 'text')
  if (text !== undefined) noteOtherFields(text, READ_OF_TEXT, { path: 'text', notes })
  return {
    ...present('max_tokens', count(body.max_output_tokens, 'max_output_tokens')),
    ...present('temperature', numberUpTo(2, body.temperature, 'temperature')),
    ...present('top_p', numberUpTo(1, body.top_p, 'top_p')),
    ...present('stream', optionalBoolean(body, 'stream')),
    ...decodeServiceTier(body.service_tier).fields,
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

/** What may be asked for beside the answer, and is not to be had; all else is given, or of tools that leave notes of their own. */
const UNKNOWN_HERE: ReadonlySet<unknown> = new Set([
  'message.output_text.logprobs',
  'message.input_image.image_url',
])

function noteIncludes({ include }: JsonObject, notes: Notes): void {
  for (const [index, value] of (Array.isArray(include) ? include : []).entries()) {
    if (UNKNOWN_HERE.has(value))
      notes.add('field_ignored', `include[${index}]`, `${String(value)} is known to OpenAI only`)
  }
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

function decodeReasoning(reasoning: JsonObject | undefined, updates: Settings): Parameters {
  if (reasoning === undefined && updates.effort === undefined) return {}
  const effort = updates.effort ?? reasoning?.['effort'] ?? undefined
  if (effort === undefined) return { thinking: { type: 'adaptive' } }
  const level = expectEffort(effort, 'reasoning.effort')
  if (level === 'none') return { thinking: { type: 'disabled' } }
  return { thinking: { type: 'adaptive' }, output_config: { effort: level } }
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
    ...decodeServiceTier(body.service_tier).extras,
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
    if (format.description)
      notes.add('field_ignored', 'text.format.description', 'a schema has no description of its own')
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

function textField<Key extends string>(name: Key, value: unknown): Partial<Record<Key, string>> {
  return present(name, typeof value === 'string' && value !== '' ? value : undefined)
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
