import { isJsonObject, type JsonObject } from '../../src/json/json-object.ts'
import { isToolName, unknownKeys } from './check-tools.ts'
import type { UpstreamLimits } from './upstream-limits.ts'

const MAX_CALLS = 128
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** Reads the messages of a body as an unforgiving upstream does. */
export class MessageChecker {
  readonly faults: string[] = []
  readonly #limits: UpstreamLimits
  /** The calls that have to be answered before anything else is said. */
  #pending = new Set<string>()
  readonly #usedIds = new Set<string>()
  #previous = ''
  #hasSpoken = false

  constructor(limits: UpstreamLimits) {
    this.#limits = limits
  }

  read(messages: readonly unknown[]): void {
    for (const [index, message] of messages.entries()) this.#message(message, `messages[${index}]`)
    this.#settled('the end')
  }

  #say(path: string, fault: string): void {
    this.faults.push(`${path}: ${fault}`)
  }

  #message(message: unknown, path: string): void {
    if (!isJsonObject(message) || typeof message['role'] !== 'string' || !ROLES.has(message['role'])) {
      this.#say(path, 'no message with a known role')
      return
    }
    const { role } = message
    if (role !== 'tool') this.#settled(path)
    this.#order(role, path)
    if (role === 'tool') this.#tool(message, path)
    else if (role === 'assistant') this.#assistant(message, path)
    else if (role === 'user') this.#user(message, path)
    else this.#system(message, path)
    this.#previous = role
  }

  #settled(path: string): void {
    if (this.#pending.size > 0) this.#say(path, `calls without results: ${[...this.#pending].join(' ')}`)
    this.#pending = new Set()
  }

  #order(role: string, path: string): void {
    if (role === 'system' || role === 'developer') return
    const { alternates, userFirst, takesUserAfterResults } = this.#limits
    if (!this.#hasSpoken && userFirst && role !== 'user') this.#say(path, 'the user has to begin')
    if (alternates && role === this.#previous && role !== 'tool') this.#say(path, `two turns of the ${role}`)
    if (!takesUserAfterResults && role === 'user' && this.#previous === 'tool')
      this.#say(path, 'the user directly behind results')
    this.#hasSpoken = true
  }

  #system(message: JsonObject, path: string): void {
    this.faults.push(...unknownKeys(message, ['role', 'content'], path))
    if (typeof message['content'] !== 'string' || message['content'] === '') this.#say(path, 'no text')
    if (this.#previous !== '' && !this.#limits.takesSystemMidway) this.#say(path, 'a system message midway')
  }

  #user(message: JsonObject, path: string): void {
    this.faults.push(...unknownKeys(message, ['role', 'content'], path))
    const { content } = message
    if (typeof content === 'string' && content !== '') return
    if (!Array.isArray(content) || content.length === 0) this.#say(path, 'no content')
    else content.forEach((part: unknown, index) => this.#part(part, `${path}.content[${index}]`))
  }

  #part(part: unknown, path: string): void {
    if (!isJsonObject(part)) {
      this.#say(path, 'no part')
      return
    }
    switch (part['type']) {
      case 'text':
        this.#wants(isText(part['text']), path, 'no text')
        break
      case 'image_url':
        this.#wants(this.#limits.takesImages && isImage(part['image_url']), path, 'an image it cannot take')
        break
      case 'file':
        this.#wants(this.#limits.takesFiles && isFile(part['file']), path, 'a file it cannot take')
        break
      default:
        this.#say(path, `a part of the type ${String(part['type'])}`)
    }
    this.faults.push(...unknownKeys(part, ['type', String(part['type'])], path))
  }

  #wants(isRight: boolean, path: string, fault: string): void {
    if (!isRight) this.#say(path, fault)
  }

  #assistant(message: JsonObject, path: string): void {
    const { thinkingField, besideCalls } = this.#limits
    const known = ['role', 'content', 'tool_calls', ...(thinkingField === undefined ? [] : [thinkingField])]
    this.faults.push(...unknownKeys(message, known, path))
    const { content, tool_calls: calls } = message
    const hasText = isText(content)
    if (calls === undefined) {
      this.#wants(hasText, path, 'an empty assistant message')
      return
    }
    this.#wants(hasText || content === besideCalls, path, `the content ${JSON.stringify(content)}`)
    this.#wants(thinkingField === undefined || thinkingField in message, path, 'calls without their thinking')
    if (!Array.isArray(calls) || calls.length === 0 || calls.length > MAX_CALLS) {
      this.#say(path, 'no list of calls')
      return
    }
    calls.forEach((call: unknown, index) => this.#call(call, `${path}.tool_calls[${index}]`))
  }

  #call(call: unknown, path: string): void {
    if (!isJsonObject(call) || call['type'] !== 'function' || !isJsonObject(call['function'])) {
      this.#say(path, 'no call of a function')
      return
    }
    const signed = this.#limits.takesSignatures ? ['extra_content'] : []
    this.faults.push(...unknownKeys(call, ['id', 'type', 'function', ...signed], path))
    this.faults.push(...unknownKeys(call['function'], ['name', 'arguments'], `${path}.function`))
    const { name, arguments: text } = call['function']
    this.#wants(isToolName(name), path, `the name ${JSON.stringify(name)}`)
    this.#wants(isObjectText(text), path, `arguments that are no JSON object: ${String(text)}`)
    this.#callId(call['id'], path)
  }

  #callId(id: unknown, path: string): void {
    if (typeof id !== 'string' || !this.#limits.callId.test(id)) this.#say(path, `the id ${String(id)}`)
    if (this.#usedIds.has(String(id))) this.#say(path, `the id ${String(id)} again`)
    this.#usedIds.add(String(id))
    this.#pending.add(String(id))
  }

  #tool(message: JsonObject, path: string): void {
    this.faults.push(...unknownKeys(message, ['role', 'tool_call_id', 'content'], path))
    const { tool_call_id: id, content } = message
    if (!this.#pending.delete(String(id))) this.#say(path, `answers no call before it: ${String(id)}`)
    this.#wants(typeof content === 'string', path, 'a result that is no text')
    this.#wants(content !== '' || this.#limits.takesEmptyResults, path, 'an empty result')
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isImage(value: unknown): boolean {
  if (!isJsonObject(value) || Object.keys(value).join() !== 'url') return false
  return /^(https?:\/\/|data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+$)/.test(String(value['url']))
}

function isFile(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { filename, file_data: data } = value
  return isText(filename) && /^data:application\/pdf;base64,[A-Za-z0-9+/=]+$/.test(String(data))
}

function isObjectText(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return isJsonObject(JSON.parse(value))
  } catch {
    return false
  }
}
