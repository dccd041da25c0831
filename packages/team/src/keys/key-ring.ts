import type { Records } from '../store/store.ts'
import { type ClientKey, hashOf } from './client-key.ts'

/** What a ring of keys is made of. */
export interface KeyRingOptions {
  readonly records: Records
  /** Keys that a configuration names. */
  readonly configured?: readonly ClientKey[] | undefined
  /** How often changes are looked for, in milliseconds. */
  readonly interval?: number | undefined
  readonly onLost?: ((thrown: unknown) => void) | undefined
}

const INTERVAL = 1000

/**
 * All keys of a team by their hashes. They are held here, so that a lookup costs no round trip, and so that a revoked
 * key stays revoked while the store is gone.
 */
export class KeyRing {
  readonly #records: Records
  readonly #onLost: (thrown: unknown) => void
  readonly #timer: NodeJS.Timeout
  #configured: ReadonlyMap<string, ClientKey>
  #stored: ReadonlyMap<string, ClientKey> = new Map()
  #version: number | undefined

  constructor({ records, configured = [], interval = INTERVAL, onLost = () => {} }: KeyRingOptions) {
    this.#records = records
    this.#onLost = onLost
    this.#configured = byHash(configured)
    this.#timer = setInterval(() => void this.refresh(), interval)
    this.#timer.unref()
  }

  /** Whether the store's keys were read at least once. */
  get isRead(): boolean {
    return this.#version !== undefined
  }

  /** Takes other keys in place of those that a configuration named. */
  configure(keys: readonly ClientKey[]): void {
    this.#configured = byHash(keys)
  }

  /** Reads the keys if they have changed. */
  async refresh(): Promise<void> {
    try {
      const version = await this.#records.version()
      if (version === this.#version) return
      const texts = await this.#records.all()
      this.#stored = new Map([...texts].map(([hash, text]) => [hash, JSON.parse(text) as ClientKey]))
      this.#version = version
    } catch (thrown) {
      this.#onLost(thrown)
    }
  }

  /** What is known here of a key, valid or not. It is found by its hash: nothing is compared letter by letter. */
  known(key: string): ClientKey | undefined {
    const hash = hashOf(key)
    return this.#configured.get(hash) ?? this.#stored.get(hash)
  }

  /** What the store knows of a key that may have been made a moment ago. */
  async lookUp(key: string): Promise<ClientKey | undefined> {
    const text = await this.#records.get(hashOf(key))
    return text === undefined ? undefined : (JSON.parse(text) as ClientKey)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

function byHash(keys: readonly ClientKey[]): ReadonlyMap<string, ClientKey> {
  return new Map(keys.map((key) => [key.hash, key]))
}
