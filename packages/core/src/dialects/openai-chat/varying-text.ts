import { type VaryingText, wordIn } from '../../fast-text/varying-text.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { usageIn } from './usage.ts'
import type { WireObject } from '../../json/wire.ts'

/** OpenAI ends each chunk with random text, so that tokens cannot be guessed from their length. */
const holes = [wordIn('obfuscation')]

/** The words of an answer. */
export const CONTENT: VaryingText = { key: 'content', textOf: contentOf, holes }
/** A further piece of a call's arguments. */
export const ARGUMENTS: VaryingText = { key: 'arguments', textOf: argumentsOf, holes }

/** The one call that a chunk goes on with, if that is all it does. */
export function callIn(chunk: WireObject): WireObject | undefined {
  const { tool_calls: calls, role: _role, ...others } = deltaOf(chunk) ?? {}
  if (!Array.isArray(calls) || calls.length !== 1 || !Object.values(others).every(isNothing)) return undefined
  const call: unknown = calls[0]
  return isJsonObject(call) ? call : undefined
}

function argumentsOf(chunk: WireObject): string | undefined {
  const { index, type: _type, function: named, ...others } = callIn(chunk) ?? {}
  if (typeof index !== 'number' || !isJsonObject(named) || !Object.values(others).every(isNothing))
    return undefined
  const { arguments: json, ...rest } = named
  return typeof json === 'string' && Object.values(rest).every(isNothing) ? json : undefined
}

function contentOf(chunk: WireObject): string | undefined {
  const { content, role: _role, ...others } = deltaOf(chunk) ?? {}
  return typeof content === 'string' && Object.values(others).every(isNothing) ? content : undefined
}

/** The delta of a chunk that has one choice, the first, and neither a finish nor usage. */
function deltaOf(chunk: WireObject): WireObject | undefined {
  const { choices } = chunk
  if (!Array.isArray(choices) || choices.length !== 1 || usageIn(chunk) !== undefined) return undefined
  const choice: unknown = choices[0]
  if (!isJsonObject(choice) || (choice['index'] ?? 0) !== 0) return undefined
  return !choice['finish_reason'] && isJsonObject(choice['delta']) ? choice['delta'] : undefined
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
