import { isJsonObject, type JsonObject } from '../../src/json/json-object.ts'
import { MessageChecker } from './check-messages.ts'
import { isClosedSchema, isToolName, toolFaults } from './check-tools.ts'
import type { UpstreamLimits } from './upstream-limits.ts'

const EFFORTS = new Set<unknown>(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'default'])

/** What a strict upstream would refuse in a Chat Completions body, each with its place; nothing for a legal one. */
export function chatFaults(body: unknown, limits: UpstreamLimits): string[] {
  if (!isJsonObject(body)) return ['no object']
  const messages = new MessageChecker(limits)
  const list = Array.isArray(body['messages']) ? body['messages'] : []
  messages.read(list)
  return [
    ...Object.keys(body).flatMap((key) => (limits.fields.has(key) ? [] : `unknown field ${key}`)),
    ...(typeof body['model'] === 'string' && body['model'] !== '' ? [] : ['no model']),
    ...(list.length > 0 ? [] : ['no messages']),
    ...parameterFaults(body, limits),
    ...formatFaults(body['response_format'], limits),
    ...toolFaults(body, limits),
    ...messages.faults,
    ...brokenStrings(body, ''),
  ]
}

function parameterFaults(body: JsonObject, limits: UpstreamLimits): string[] {
  const { stream, stream_options: options, stop, reasoning_effort: effort } = body
  const checks: readonly (readonly [boolean, string])[] = [
    [stream === undefined || stream === true, 'stream'],
    [options === undefined || stream === true, 'stream_options without stream'],
    [isWithin(body[limits.tokenField], 1, Infinity), limits.tokenField],
    [isWithin(body['temperature'], 0, 2), 'temperature'],
    [isWithin(body['top_p'], 0, 1), 'top_p'],
    [isWithin(body['top_k'], 0, Infinity), 'top_k'],
    [stop === undefined || isStop(stop, limits.maxStop), 'stop'],
    [effort === undefined || EFFORTS.has(effort), 'reasoning_effort'],
    [isShort(body['safety_identifier'], 128), 'safety_identifier'],
    [isShort(body['prompt_cache_key'], 64), 'prompt_cache_key'],
  ]
  return checks.flatMap(([isRight, fault]) => (isRight ? [] : fault))
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return value === undefined || (typeof value === 'number' && value >= least && value <= most)
}

function isStop(value: unknown, most: number): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) return false
  return value.every((sequence) => typeof sequence === 'string' && sequence !== '')
}

function isShort(value: unknown, most: number): boolean {
  return value === undefined || (typeof value === 'string' && value !== '' && value.length <= most)
}

function formatFaults(format: unknown, { takesSchemaFormat }: UpstreamLimits): string[] {
  if (format === undefined) return []
  if (!isJsonObject(format)) return ['response_format: no object']
  if (format['type'] === 'json_object') return []
  const { json_schema: named } = format
  if (format['type'] !== 'json_schema' || !takesSchemaFormat || !isJsonObject(named))
    return ['response_format: a type it cannot take']
  const { name, schema, strict } = named
  if (!isToolName(name) || !isJsonObject(schema)) return ['response_format: no name or no schema']
  return strict === true && !isClosedSchema(schema) ? ['response_format: strict with an open schema'] : []
}

/** Halves of characters: no upstream can read them. */
function brokenStrings(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [`${path}: half a character`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => brokenStrings(item, `${path}.${key}`))
}
