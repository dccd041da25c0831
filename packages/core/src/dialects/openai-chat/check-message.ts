import { isPresent } from '../../json/present.ts'
import {
  expectArray,
  expectObject,
  expectOptional,
  expectString,
  expectText,
  unexpected,
  unexpectedValue,
} from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Refuses what is no message in OpenAI's form, and names the place. */
export function checkMessage(value: unknown, index: number): void {
  const path = `messages[${index}]`
  const message = expectObject(value, path)
  const { role, content } = message
  if (!ROLES.has(role)) throw unexpectedValue(`${path}.role`, 'a role that OpenAI knows', role)
  const mayBeEmpty = role === 'assistant' || role === 'function' || role === 'tool'
  if (!mayBeEmpty || isPresent(content)) checkContent(content, `${path}.content`)
  if (role === 'tool') expectString(message, 'tool_call_id', path)
  if (role === 'function') expectText(message, 'name', path)
  if (role === 'assistant') checkAssistant(message, path)
}

function checkContent(content: unknown, path: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw unexpected(path, 'string or array', content)
  content.forEach((part, index) => checkPart(expectObject(part, `${path}[${index}]`), `${path}[${index}]`))
}

function checkPart(part: JsonObject, path: string): void {
  const type = expectString(part, 'type', path)
  if (type === 'text' || type === 'refusal') expectString(part, type, path)
  // Mistral's clients say the address alone.
  if (type === 'image_url' && typeof part[type] !== 'string')
    expectString(expectObject(part[type], `${path}.${type}`), 'url', `${path}.${type}`)
  if (type === 'file') checkFile(expectObject(part[type], `${path}.${type}`), `${path}.${type}`)
}

function checkFile(file: JsonObject, path: string): void {
  for (const key of ['file_data', 'file_id', 'filename']) expectOptional(file, key, { type: 'string', path })
}

function checkAssistant(message: JsonObject, path: string): void {
  expectOptional(message, 'refusal', { type: 'string', path })
  expectOptional(message, 'reasoning_content', { type: 'string', path })
  checkCalls(message['tool_calls'], `${path}.tool_calls`)
  const { function_call: legacy } = message
  if (!isPresent(legacy)) return
  const place = `${path}.function_call`
  const called = expectObject(legacy, place)
  expectText(called, 'name', place)
  expectOptional(called, 'arguments', { type: 'string', path: place })
}

function checkCalls(calls: unknown, path: string): void {
  if (!isPresent(calls)) return
  for (const [index, value] of expectArray(calls, path).entries()) {
    const place = `${path}[${index}]`
    const call = expectObject(value, place)
    expectString(call, 'id', place)
    const type = call['type'] === 'custom' ? 'custom' : 'function'
    const called = expectObject(call[type], `${place}.${type}`)
    expectString(called, 'name', `${place}.${type}`)
    if (type === 'custom') expectString(called, 'input', `${place}.${type}`)
    // Some clients leave the arguments of a call out that has none.
    else expectOptional(called, 'arguments', { type: 'string', path: `${place}.${type}` })
  }
}
