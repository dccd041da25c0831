import type { Memory } from '@hydra/core'
import { BoundedMemory, DEFAULT_MEMORY, type SharedMemory } from '@hydra/gateway'
import type { Kept } from '../store/store.ts'
import { RecalledMemory } from './recalled-memory.ts'

/** Who is told when the store does not answer. */
export interface TeamMemoryOptions {
  readonly kept: Kept
  readonly onLost: (thrown: unknown) => void
  /** Whether the store is known to be gone: nothing waits for it then. */
  readonly isLost: () => boolean
}

/** What could not be written is tried again when the store is back; more of it stays on this replica only. */
const MAX_UNWRITTEN = 1000

interface Unwritten {
  readonly client: string
  readonly key: string
}

/**
 * What clients refer back to (stored answers, thinking by the ids of calls), as all replicas know it. Each replica also
 * remembers what it has written itself, for the time in which the store is gone.
 */
export class TeamMemory implements SharedMemory {
  readonly #options: TeamMemoryOptions
  readonly #local: BoundedMemory = new BoundedMemory(DEFAULT_MEMORY, Date.now)
  readonly #unwritten = new Map<string, Unwritten>()

  constructor(options: TeamMemoryOptions) {
    this.#options = options
  }

  async recall(client: string, keys: readonly string[]): Promise<Memory> {
    const texts = keys.length === 0 ? [] : await this.#fetch(client, keys)
    const known = new Map(keys.map((key, index) => [key, texts?.[index] ?? this.#ownText(client, key)]))
    return new RecalledMemory({
      known,
      isUnsure: texts === undefined,
      put: (changed) => void this.#put(client, changed),
      delete: (gone) => void this.#delete(client, gone),
    })
  }

  /** The store is back: what was written meanwhile is written now. */
  async flush(): Promise<void> {
    const waiting = [...this.#unwritten.values()]
    this.#unwritten.clear()
    for (const { client, key } of waiting) {
      const text = this.#local.get(nameOf(client, key))
      // oxlint-disable-next-line no-await-in-loop -- a store that has just come back is not flooded
      if (typeof text === 'string') await this.#put(client, new Map([[key, text]]))
    }
  }

  async #fetch(
    client: string,
    keys: readonly string[],
  ): Promise<readonly (string | undefined)[] | undefined> {
    const { kept, isLost, onLost } = this.#options
    if (isLost()) return undefined
    try {
      return await kept.get(client, keys)
    } catch (thrown) {
      onLost(thrown)
      return undefined
    }
  }

  /** While the store answers, only what it has not got yet: what it has forgotten, or was told to, is gone. */
  #ownText(client: string, key: string): string | undefined {
    const name = nameOf(client, key)
    if (!this.#options.isLost() && !this.#unwritten.has(name)) return undefined
    const text = this.#local.get(name)
    return typeof text === 'string' ? text : undefined
  }

  async #put(client: string, texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [key, text] of texts) {
      this.#local.set(nameOf(client, key), text)
      this.#wait({ client, key })
    }
    try {
      if (this.#options.isLost()) return
      await this.#options.kept.put(client, texts)
      for (const key of texts.keys()) this.#unwritten.delete(nameOf(client, key))
    } catch (thrown) {
      this.#options.onLost(thrown)
    }
  }

  #wait(one: Unwritten): void {
    this.#unwritten.set(nameOf(one.client, one.key), one)
    if (this.#unwritten.size <= MAX_UNWRITTEN) return
    const [oldest] = this.#unwritten.keys()
    if (oldest !== undefined) this.#unwritten.delete(oldest)
  }

  async #delete(client: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#local.delete(nameOf(client, key))
      this.#unwritten.delete(nameOf(client, key))
    }
    await this.#options.kept.delete(client, keys).catch(this.#options.onLost)
  }
}

function nameOf(client: string, key: string): string {
  return `${client}\n${key}`
}
