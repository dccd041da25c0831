import { isJsonObject } from '@hydra/core'
import { BILLING_MARK, canonicalSystemText, canonicalTurnText } from './canonical-text.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The body of a request of any dialect without what changes from run to run.
 * Only the places that the dialects define are looked at: the same words in the input of a tool are content.
 */
export function canonicalBody(body: unknown): unknown {
  if (!isJsonObject(body)) return body
  const calls = new CallNumbers()
  return mapFields(body, (name, value) => {
    switch (name) {
      // Who asks, and by what name the provider keeps its caches: no answer depends on them.
      case 'user':
      case 'prompt_cache_key':
      case 'safety_identifier':
        return undefined
      case 'metadata':
        return canonicalMetadata(value)
      case 'conversationState':
        return withoutFreshName(value)
      case 'system':
        return canonicalSystem(value)
      case 'messages':
        return mapList(value, (message) => canonicalMessage(message, calls))
      case 'tools':
        return mapList(value, (tool) => (isJsonObject(tool) ? mapFields(tool) : tool))
      default:
        return value
    }
  })
}

/** A conversation of strict turns has a fresh name in each request. */
function withoutFreshName(state: unknown): unknown {
  return isJsonObject(state)
    ? mapFields(state, (name, value) => (name === 'conversationId' ? undefined : value))
    : state
}

/** A canonical body without the mark of the billing line: not every release of the client writes one. */
export function withoutBillingMark(body: unknown): unknown {
  const system = isJsonObject(body) ? body['system'] : undefined
  if (!isJsonObject(body) || !Array.isArray(system) || !system.includes(BILLING_MARK)) return body
  return { ...body, system: system.filter((block) => block !== BILLING_MARK) }
}

/** Gives each call of a conversation a number: which result belongs to which call counts, its id does not. */
class CallNumbers {
  readonly #numbers = new Map<string, number>()

  of(id: unknown): unknown {
    if (typeof id !== 'string') return id
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1
    this.#numbers.set(id, number)
    return `(call ${number})`
  }
}

/** Changes fields; those that become undefined are left out, and so are remarks about caches. */
function mapFields(
  fields: Fields,
  change: (name: string, value: unknown) => unknown = (_name, value) => value,
): Fields {
  const kept = Object.entries(fields).filter(([name]) => name !== 'cache_control')
  const changed = kept.map(([name, value]) => [name, change(name, value)] as const)
  return Object.fromEntries(changed.filter(([, value]) => value !== undefined))
}

function mapList(list: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(change) : list
}

function canonicalMetadata(metadata: unknown): unknown {
  if (!isJsonObject(metadata)) return metadata
  const entries = Object.entries(metadata).filter(([name]) => name !== 'user_id')
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function canonicalSystem(system: unknown): unknown {
  if (typeof system === 'string') return canonicalSystemText(system)
  return mapList(system, (block) => {
    if (!isJsonObject(block)) return block
    const changed = mapFields(block, (name, value) =>
      name === 'text' && typeof value === 'string' ? canonicalSystemText(value) : value,
    )
    return changed['text'] === BILLING_MARK ? BILLING_MARK : changed
  })
}

function canonicalMessage(message: unknown, calls: CallNumbers): unknown {
  if (!isJsonObject(message)) return message
  const isSystem = message['role'] === 'system' || message['role'] === 'developer'
  const canonicalText = isSystem ? canonicalSystemText : canonicalTurnText
  return mapFields(message, (name, value) => {
    switch (name) {
      case 'content':
        return canonicalContent(value, { calls, canonicalText })
      case 'tool_call_id':
        return calls.of(value)
      case 'tool_calls':
        return mapList(value, (call) => (isJsonObject(call) ? { ...call, id: calls.of(call['id']) } : call))
      default:
        return value
    }
  })
}

interface ContentRules {
  readonly calls: CallNumbers
  readonly canonicalText: (text: string) => string
}

function canonicalContent(content: unknown, rules: ContentRules): unknown {
  if (typeof content === 'string') return rules.canonicalText(content)
  return mapList(content, (block) => (isJsonObject(block) ? canonicalBlock(block, rules) : block))
}

function canonicalBlock(block: Fields, rules: ContentRules): Fields {
  const type = String(block['type'])
  return mapFields(block, (name, value) => {
    if (name === 'text' && typeof value === 'string') return rules.canonicalText(value)
    if (name === 'tool_use_id' || (name === 'id' && type.endsWith('tool_use'))) return rules.calls.of(value)
    if (name === 'content' && type === 'tool_result') return canonicalContent(value, rules)
    return value
  })
}
