import type { Memory } from '@hydra/core'

/** What one request refers back to, and where its changes go. */
export interface RecalledMemoryOptions {
  /** As JSON; undefined for what is not kept. */
  readonly known: ReadonlyMap<string, string | undefined>
  readonly isUnsure: boolean
  readonly put: (texts: ReadonlyMap<string, string>) => void
  readonly delete: (keys: readonly string[]) => void
}

/** The memory of one request: what it refers back to was fetched, and what it changes is written together. */
export class RecalledMemory implements Memory {
  readonly isUnsure: boolean
  readonly #options: RecalledMemoryOptions
  #changed: Map<string, string | undefined> | undefined

  constructor(options: RecalledMemoryOptions) {
    this.#options = options
    this.isUnsure = options.isUnsure
  }

  get(key: string): unknown {
    const isChanged = this.#changed?.has(key) === true
    const text = isChanged ? this.#changed?.get(key) : this.#options.known.get(key)
    return text === undefined ? undefined : JSON.parse(text)
  }

  set(key: string, value: unknown): void {
    const text = JSON.stringify(value)
    if (text !== undefined) this.#change(key, text)
  }

  delete(key: string): void {
    this.#change(key, undefined)
  }

  /** An answer and its items are kept one by one in the same moment. */
  #change(key: string, text: string | undefined): void {
    if (this.#changed === undefined) {
      this.#changed = new Map()
      queueMicrotask(() => this.#write())
    }
    this.#changed.set(key, text)
  }

  #write(): void {
    const changed = [...(this.#changed ?? [])]
    this.#changed = undefined
    const gone = changed.filter(([, text]) => text === undefined).map(([key]) => key)
    const texts = new Map(
      changed.flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as const])),
    )
    if (gone.length > 0) this.#options.delete(gone)
    if (texts.size > 0) this.#options.put(texts)
  }
}
