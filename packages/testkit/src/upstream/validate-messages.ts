import {
  isObject,
  type JsonObject,
  NAME,
  objectOf,
  type Place,
  refuseUnknown,
  type Report,
} from './problems.ts'

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'reasoning_content', 'reasoning'],
  tool: ['role', 'content', 'tool_call_id'],
}

/** The kinds of content that each role may hold. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'file', 'input_audio'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
}

const MAX_ID_LENGTH = 40

/** Checks the messages of a request: each one for itself, and that every tool call is answered at once. */
export function validateMessages(messages: unknown, report: Report): void {
  if (!Array.isArray(messages) || messages.length === 0) {
    report('messages: expected at least one')
    return
  }
  let open: ReadonlySet<unknown> = new Set()
  for (const [index, value] of messages.entries()) {
    const place = { path: `messages[${index}]`, report }
    const message = objectOf(value)
    open = message['role'] === 'tool' ? answered(message, open, place) : opened(message, open, place)
    validateMessage(message, place)
  }
  if (open.size > 0) report(`messages: the calls ${[...open].join(', ')} are not answered`)
}

/** The calls that are still open after a result. */
function answered(message: JsonObject, open: ReadonlySet<unknown>, { path, report }: Place): Set<unknown> {
  const rest = new Set(open)
  const { tool_call_id: id } = message
  if (!rest.delete(id)) report(`${path}.tool_call_id: '${String(id)}' answers no call directly before it`)
  return rest
}

/** The calls that a message other than a result opens. */
function opened(message: JsonObject, open: ReadonlySet<unknown>, { path, report }: Place): Set<unknown> {
  if (open.size > 0) report(`${path}: the calls ${[...open].join(', ')} are not answered`)
  const { tool_calls: calls } = message
  return new Set(Array.isArray(calls) ? calls.map((call) => objectOf(call)['id']) : [])
}

function validateMessage(message: JsonObject, place: Place): void {
  const role = String(message['role'])
  const fields = Object.hasOwn(FIELDS, role) ? FIELDS[role] : undefined
  if (fields === undefined) {
    place.report(`${place.path}.role: '${role}'`)
    return
  }
  refuseUnknown(message, fields, place)
  if (message['tool_calls'] !== undefined) validateCalls(message['tool_calls'], place)
  validateContent(message, role, place)
}

function validateContent({ content, tool_calls: calls }: JsonObject, role: string, place: Place): void {
  if (typeof content === 'string' && (content !== '' || role !== 'assistant')) return
  if (Array.isArray(content) && content.length > 0) {
    for (const part of content) validatePart(objectOf(part), role, place)
    return
  }
  const isBesideCalls = role === 'assistant' && calls !== undefined
  const isEmpty = content === null || content === undefined || content === ''
  if (!(isBesideCalls && isEmpty)) place.report(`${place.path}.content: expected some`)
}

function validatePart(part: JsonObject, role: string, { path, report }: Place): void {
  const type = String(part['type'])
  if (!PARTS[role]?.includes(type)) report(`${path}.content: '${type}' in a message of ${role}`)
  refuseUnknown(part, ['type', type], { path: `${path}.content`, report })
  if (type === 'text' && typeof part['text'] !== 'string') report(`${path}.content: a text without text`)
  if (type !== 'image_url') return
  const { url } = objectOf(part['image_url'])
  if (!/^(?:https?:|data:image\/)/.test(String(url))) report(`${path}.content: an image without an address`)
}

function validateCalls(calls: unknown, { path, report }: Place): void {
  if (!Array.isArray(calls) || calls.length === 0) {
    report(`${path}.tool_calls: expected at least one`)
    return
  }
  const ids = new Set<unknown>()
  for (const [index, value] of calls.entries()) {
    const call = objectOf(value)
    validateCall(call, { path: `${path}.tool_calls[${index}]`, report })
    if (ids.has(call['id'])) report(`${path}.tool_calls[${index}].id: used twice`)
    ids.add(call['id'])
  }
}

function validateCall(call: JsonObject, place: Place): void {
  const { path, report } = place
  const { id, type } = call
  refuseUnknown(call, ['id', 'type', 'function', 'extra_content'], place)
  if (type !== 'function') report(`${path}.type: expected function`)
  const isId = typeof id === 'string' && id.length > 0 && id.length <= MAX_ID_LENGTH
  if (!isId) report(`${path}.id: expected 1 to ${MAX_ID_LENGTH} characters`)
  const called = objectOf(call['function'])
  if (!NAME.test(String(called['name'])))
    report(`${path}: '${String(called['name'])}' is no name for a function`)
  if (!isJsonObjectText(called['arguments'])) report(`${path}.function.arguments: expected a JSON object`)
}

function isJsonObjectText(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}
