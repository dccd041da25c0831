import { createHash } from 'node:crypto'
import { isObject } from './json-text.ts'

/** What a request goes on with: an earlier exchange, and how much of it. */
export interface Continuation {
  readonly exchange: number
  readonly messages: number
  /** The parts beside the messages that differ from that exchange. */
  readonly changed: readonly string[]
}

const WATCHED = ['model', 'system', 'tools', 'max_tokens', 'thinking'] as const

/**
 * Finds for each request the earlier one whose conversation it continues. A session may hold several conversations
 * side by side (a lead and its subagents), so that the exchange directly before is often of another one.
 */
export class Continuations {
  /** Prefixes of conversations, as hashes, and the last exchange that began with them. */
  readonly #prefixes = new Map<string, number>()
  readonly #parts = new Map<number, ReadonlyMap<string, string>>()

  /** Takes note of a request, and says what it continues. */
  add(exchange: number, body: unknown): Continuation | undefined {
    const hashes = prefixHashes(body)
    const shared = hashes.findLastIndex((hash) => this.#prefixes.has(hash))
    const earlier = this.#prefixes.get(hashes[shared] ?? '')
    const parts = partHashes(body)
    const before = earlier === undefined ? undefined : this.#parts.get(earlier)
    for (const hash of hashes) this.#prefixes.set(hash, exchange)
    this.#parts.set(exchange, parts)
    if (earlier === undefined || before === undefined) return undefined
    const changed = WATCHED.filter((part) => parts.get(part) !== before.get(part))
    return { exchange: earlier, messages: shared + 1, changed }
  }
}

function prefixHashes(body: unknown): string[] {
  const messages: unknown[] = isObject(body) && Array.isArray(body['messages']) ? body['messages'] : []
  const hashes: string[] = []
  for (const message of messages) {
    const text = canonical(message)
    // Two messages that cannot be written down cannot be called the same.
    if (text === undefined) break
    hashes.push(hashOf((hashes.at(-1) ?? '') + text))
  }
  return hashes
}

function partHashes(body: unknown): ReadonlyMap<string, string> {
  const fields = isObject(body) ? body : {}
  return new Map(WATCHED.map((part) => [part, hashOf(canonical(fields[part]) ?? '')]))
}

/** Clients move their cache marks from turn to turn, and write a lone text as a string or as a block. */
function canonical(value: unknown): string | undefined {
  const plain = isObject(value) && typeof value['content'] === 'string'
  const message = plain ? { ...value, content: [{ type: 'text', text: value['content'] }] } : value
  try {
    return (
      JSON.stringify(message, (key, field: unknown) => (key === 'cache_control' ? undefined : field)) ?? ''
    )
  } catch {
    return undefined
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
