import type { Memory } from '@hydra/core'
import type * as v from 'valibot'
import type { Complete } from '../schema/complete.ts'
import type { memory } from '../schema/limits.ts'

/** How much a memory holds. */
export type MemoryLimits = Complete<v.InferInput<typeof memory>>

/** What is remembered by default: enough for the agents of a team over a working day. */
export const DEFAULT_MEMORY: MemoryLimits = {
  entries: 10_000,
  bytes: 64 * 1024 * 1024,
  age: 24 * 60 * 60 * 1000,
}

interface Entry {
  /** As JSON: what was remembered cannot be changed by a caller that still holds it. */
  readonly json: string
  readonly since: number
}

/** A memory in this process that forgets what was used least recently once it is full (LRU), and what is too old. */
export class BoundedMemory implements Memory {
  /** A map keeps the order of its keys, so the first one was used least recently. */
  readonly #entries = new Map<string, Entry>()
  readonly #limits: MemoryLimits
  readonly #now: () => number
  #bytes = 0

  constructor(limits: MemoryLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.delete(key)
    if (this.#now() - entry.since > this.#limits.age) return undefined
    this.#insert(key, entry)
    return JSON.parse(entry.json)
  }

  set(key: string, value: unknown): void {
    this.delete(key)
    const json = JSON.stringify(value)
    if (json === undefined || json.length > this.#limits.bytes) return
    this.#insert(key, { json, since: this.#now() })
    while (this.#entries.size > this.#limits.entries || this.#bytes > this.#limits.bytes) this.#forgetOne()
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.json.length
  }

  #insert(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.json.length
  }

  #forgetOne(): void {
    for (const key of this.#entries.keys()) {
      this.delete(key)
      return
    }
  }
}
