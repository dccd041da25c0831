import type { Memory } from '@hydra/core'

/** The part of a memory that belongs to one client: nobody finds what another one has left there. */
export class ClientMemory implements Memory {
  readonly #memory: Memory
  readonly #client: string

  constructor(memory: Memory, client: string) {
    this.#memory = memory
    this.#client = client
  }

  get(key: string): unknown {
    return this.#memory.get(this.#own(key))
  }

  set(key: string, value: unknown): void {
    this.#memory.set(this.#own(key), value)
  }

  delete(key: string): void {
    this.#memory.delete(this.#own(key))
  }

  #own(key: string): string {
    return `${this.#client}\n${key}`
  }
}
