import type { Memory } from '@hydra/core'

/** What the exchanges of a tape leave behind for later ones that refer back to them. */
export class TapeMemory implements Memory {
  /** As JSON: what was remembered cannot be changed by a caller that still holds it. */
  readonly #entries = new Map<string, string>()

  get(key: string): unknown {
    const json = this.#entries.get(key)
    return json === undefined ? undefined : (JSON.parse(json) as unknown)
  }

  set(key: string, value: unknown): void {
    this.#entries.set(key, JSON.stringify(value) ?? 'null')
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** The same for callers whose answers are not to be remembered, such as broken ones. */
  get readOnly(): Memory {
    return { get: (key) => this.get(key), set() {}, delete() {} }
  }
}
