import { isJsonObject } from '@hydra/core'
import { createHash } from 'node:crypto'
import { canonicalText } from './canonical-text.ts'

/** What a request goes on with: an earlier exchange, and how much of it. */
export interface Continuation {
  readonly exchange: number
  readonly messages: number
  /** The parts beside the messages that differ from that exchange. */
  readonly changed: readonly string[]
}

/** More beginnings than these are not remembered: then all are forgotten. */
const MAX_PREFIXES = 100_000

const WATCHED = ['model', 'system', 'tools', 'max_tokens', 'thinking'] as const

/**
 * Finds for each request the earlier one whose conversation it continues. A session may hold several conversations
 * side by side (a lead and its subagents), so that the exchange directly before is often of another one.
 */
export class Continuations {
  /** Prefixes of conversations, as hashes, and the last exchange that began with them. */
  readonly #prefixes = new Map<string, number>()
  /** Whole conversations, and the last exchange that had no more than that. */
  readonly #wholes = new Map<string, number>()
  readonly #parts = new Map<number, ReadonlyMap<string, string>>()

  /** Takes note of a request, and says what it continues. */
  add(exchange: number, body: unknown): Continuation | undefined {
    if (this.#prefixes.size > MAX_PREFIXES) this.#forget()
    const hashes = prefixHashes(body)
    const shared = hashes.findLastIndex((hash) => this.#prefixes.has(hash))
    const whole = hashes.at(-1)
    // Longer ones begin with it as well, but it is not theirs that is asked once more.
    const earlier = this.#wholes.get(whole ?? '') ?? this.#prefixes.get(hashes[shared] ?? '')
    const parts = partHashes(body)
    const before = earlier === undefined ? undefined : this.#parts.get(earlier)
    for (const hash of hashes) this.#prefixes.set(hash, exchange)
    if (whole !== undefined) this.#wholes.set(whole, exchange)
    this.#parts.set(exchange, parts)
    if (earlier === undefined || before === undefined) return undefined
    const changed = WATCHED.filter((part) => parts.get(part) !== before.get(part))
    return { exchange: earlier, messages: shared + 1, changed }
  }

  #forget(): void {
    this.#prefixes.clear()
    this.#wholes.clear()
    this.#parts.clear()
  }
}

function prefixHashes(body: unknown): string[] {
  const messages: unknown[] = isJsonObject(body) && Array.isArray(body['messages']) ? body['messages'] : []
  const hashes: string[] = []
  for (const message of messages) {
    const text = canonicalText(message)
    // Two messages that cannot be written down cannot be called the same.
    if (text === undefined) break
    hashes.push(hashOf((hashes.at(-1) ?? '') + text))
  }
  return hashes
}

function partHashes(body: unknown): ReadonlyMap<string, string> {
  const fields = isJsonObject(body) ? body : {}
  return new Map(WATCHED.map((part) => [part, hashOf(canonicalText(fields[part]) ?? '')]))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
