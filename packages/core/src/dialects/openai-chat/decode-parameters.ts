import { decodeServiceTier } from '../../decode/service-tier.ts'
import { isPresent, present } from '../../json/present.ts'
import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import {
  expectArray,
  expectObject,
  expectOptional,
  expectShallowObject,
  expectText,
  pathTo,
  unexpected,
  unexpectedValue,
} from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { decodeEffort } from './decode-effort.ts'

type Parameters = Omit<HubRequest, 'model' | 'messages' | 'system' | 'tools' | 'tool_choice' | 'extras'>

/** Decodes the fields of a request that are neither messages nor tools. */
export function decodeParameters(body: JsonObject, notes: Notes): Parameters & { extras?: HubExtras } {
  refuseSeveralChoices(body)
  const format = decodeFormat(body, notes)
  const effort = decodeEffort(body)
  const config = { ...effort.config, ...format.config }
  const tier = decodeServiceTier(text(body, 'service_tier'))
  const extras = { ...wishes(body), ...format.extras, ...tier.extras }
  return {
    ...present('max_tokens', count(body, 'max_completion_tokens') ?? count(body, 'max_tokens')),
    ...present('temperature', number(body, 'temperature', { least: 0, most: 2 })),
    ...present('top_p', number(body, 'top_p', { least: 0, most: 1 })),
    ...present('top_k', count(body, 'top_k')),
    ...present('stop_sequences', stopSequences(body)),
    ...tier.fields,
    ...present('thinking', effort.thinking),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...userId(body),
    ...(Object.keys(extras).length > 0 && { extras }),
  }
}

function refuseSeveralChoices(body: JsonObject): void {
  const { n } = body
  if (n === undefined || n === null || n === 1) return
  throw unexpectedValue('n', '1: a translated answer has one choice', n)
}

function stopSequences({ stop }: JsonObject): string[] | undefined {
  if (stop === undefined || stop === null) return undefined
  const list = typeof stop === 'string' ? [stop] : expectArray(stop, 'stop')
  return list.map((sequence, index) => {
    if (typeof sequence === 'string') return sequence
    throw unexpected(`stop[${index}]`, 'string', sequence)
  })
}

/** What Anthropic's form has no field for. */
function wishes(body: JsonObject): HubExtras {
  return {
    ...present('seed', number(body, 'seed', {})),
    ...present('frequency_penalty', number(body, 'frequency_penalty', { least: -2, most: 2 })),
    ...present('presence_penalty', number(body, 'presence_penalty', { least: -2, most: 2 })),
    ...present('logit_bias', numbersOf(body, 'logit_bias')),
    ...present('verbosity', text(body, 'verbosity')),
    ...present('prompt_cache_key', text(body, 'prompt_cache_key')),
    ...present('user', text(body, 'user')),
    ...present('metadata', textsOf(body, 'metadata')),
  }
}

interface DecodedFormat {
  readonly config: Pick<NonNullable<HubRequest['output_config']>, 'format'>
  readonly extras: HubExtras
}

const ANY_FORMAT: DecodedFormat = { config: {}, extras: {} }

function decodeFormat({ response_format: value }: JsonObject, notes: Notes): DecodedFormat {
  if (value === undefined || value === null) return ANY_FORMAT
  const path = 'response_format'
  const format = expectObject(value, path)
  const type = expectText(format, 'type', path)
  const isBare = !isPresent(format['json_schema']) && isPresent(format['schema'])
  // Together's and llama.cpp's clients have the schema beside the type, and some of them no other type.
  if (isBare && (type === 'json_object' || type === 'json_schema')) return schemaFormat(format, path, notes)
  if (type === 'json_object') return { config: {}, extras: { json_object: true } }
  if (type === 'json_schema') {
    const named = expectObject(format['json_schema'], `${path}.json_schema`)
    expectText(named, 'name', `${path}.json_schema`)
    return schemaFormat(named, `${path}.json_schema`, notes)
  }
  if (type !== 'text') notes.add('field_ignored', `${path}.type`, `the format ${type} is not known here`)
  return ANY_FORMAT
}

function schemaFormat(definition: JsonObject, path: string, notes: Notes): DecodedFormat {
  const { strict, description, schema, name } = definition
  expectOptional(definition, 'strict', { type: 'boolean', path })
  if (description) notes.add('field_ignored', `${path}.description`, 'a schema has no description of its own')
  const named = {
    ...(typeof name === 'string' && { schema_name: name }),
    ...(typeof strict === 'boolean' && { schema_strict: strict }),
  }
  // OpenAI takes a schema that is only named: any object will do.
  if (schema === undefined || schema === null) return { config: {}, extras: { ...named, json_object: true } }
  const checked = expectShallowObject(schema, `${path}.schema`)
  return { config: { format: { type: 'json_schema', schema: { ...checked } } }, extras: named }
}

function userId(body: JsonObject): Pick<HubRequest, 'metadata'> {
  const id = text(body, 'safety_identifier')
  return id === undefined ? {} : { metadata: { user_id: id } }
}

function text(body: JsonObject, key: string): string | undefined {
  const value = body[key]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw unexpected(key, 'string', value)
}

function number(
  body: JsonObject,
  key: string,
  { least = -Infinity, most = Infinity }: { readonly least?: number; readonly most?: number },
): number | undefined {
  const value = body[key]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value >= least && value <= most) return value
  const range = least === -Infinity ? 'number' : `number from ${least} to ${most}`
  throw unexpectedValue(key, range, value)
}

function count(body: JsonObject, key: string): number | undefined {
  const value = number(body, key, {})
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value
  throw unexpectedValue(key, 'integer of at least 0', value)
}

function numbersOf(body: JsonObject, key: string): Record<string, number> | undefined {
  return entriesOf(body, key, (value): value is number => typeof value === 'number')
}

function textsOf(body: JsonObject, key: string): Record<string, string> | undefined {
  return entriesOf(body, key, (value): value is string => typeof value === 'string')
}

function entriesOf<Value>(
  body: JsonObject,
  key: string,
  fits: (value: unknown) => value is Value,
): Record<string, Value> | undefined {
  if (body[key] === undefined || body[key] === null) return undefined
  const entries: [string, Value][] = []
  for (const [name, value] of Object.entries(expectObject(body[key], key))) {
    if (!fits(value)) throw invalidRequest(pathTo(key, name), 'expected a value of another type')
    entries.push([name, value])
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
