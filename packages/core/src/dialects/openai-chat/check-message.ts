import { expectArray, expectObject, expectString, unexpected, unexpectedValue } from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Refuses what is no message in OpenAI's form, and names the place. */
export function checkMessage(value: unknown, index: number): void {
  const path = `messages[${index}]`
  const message = expectObject(value, path)
  const { role, content } = message
  if (!ROLES.has(role)) throw unexpectedValue(`${path}.role`, 'a role that OpenAI knows', role)
  const mayBeEmpty = role === 'assistant' || role === 'function'
  if (!mayBeEmpty || (content !== null && content !== undefined)) checkContent(content, `${path}.content`)
  if (role === 'tool') expectString(message, 'tool_call_id', path)
  if (role === 'assistant') checkCalls(message['tool_calls'], `${path}.tool_calls`)
}

function checkContent(content: unknown, path: string): void {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) throw unexpected(path, 'string or array', content)
  content.forEach((part, index) => checkPart(expectObject(part, `${path}[${index}]`), `${path}[${index}]`))
}

function checkPart(part: JsonObject, path: string): void {
  const type = expectString(part, 'type', path)
  if (type === 'text' || type === 'refusal') expectString(part, type, path)
  if (type === 'image_url')
    expectString(expectObject(part[type], `${path}.${type}`), 'url', `${path}.${type}`)
  if (type === 'file') expectObject(part[type], `${path}.${type}`)
}

function checkCalls(calls: unknown, path: string): void {
  if (calls === undefined || calls === null) return
  for (const [index, value] of expectArray(calls, path).entries()) {
    const place = `${path}[${index}]`
    const call = expectObject(value, place)
    expectString(call, 'id', place)
    const type = call['type'] === 'custom' ? 'custom' : 'function'
    const called = expectObject(call[type], `${place}.${type}`)
    expectString(called, 'name', `${place}.${type}`)
    expectString(called, type === 'custom' ? 'input' : 'arguments', `${place}.${type}`)
  }
}
