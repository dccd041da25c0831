import type { LiveExchange } from '../store/live-exchange.ts'
import type { LiveStore } from '../store/live-store.ts'
import { applyCopy } from './copy-exchange.ts'
import type { BegunCopy, CopiedExchange } from './messages.ts'

/** How long the first words of processes are waited for, in milliseconds: exchanges are numbered as they began. */
const FIRST_WORDS = 500

interface Begun extends BegunCopy {
  readonly member: string
}

/** The exchanges of several processes in one store, as long as somebody looks. */
export class StoreMirror {
  readonly #store: LiveStore
  readonly #exchanges = new Map<string, LiveExchange>()
  /** The processes that have not said yet what they keep. */
  readonly #awaited: Set<string>
  #begun: Begun[] = []
  #copies: (() => void)[] = []
  readonly #timer: NodeJS.Timeout

  constructor(store: LiveStore, members: Iterable<string>) {
    this.#store = store
    this.#awaited = new Set(members)
    this.#timer = setTimeout(() => this.#beginAll(), FIRST_WORDS).unref()
  }

  begun(member: string, exchanges: readonly BegunCopy[]): void {
    this.#begun.push(...exchanges.map((one) => ({ ...one, member })))
    this.#awaited.delete(member)
    if (this.#awaited.size === 0) this.#beginAll()
  }

  copy(member: string, id: string, copy: CopiedExchange): void {
    if (this.#begun.length > 0) this.#copies.push(() => this.#apply(member, id, copy))
    else this.#apply(member, id, copy)
  }

  forgotten(member: string, id: string): void {
    const exchange = this.#exchanges.get(keyOf(member, id))
    if (exchange === undefined) return
    this.#exchanges.delete(keyOf(member, id))
    this.#store.forget(exchange)
  }

  /** A process has ended, and with it what was under way in it. */
  left(member: string): void {
    this.#awaited.delete(member)
    for (const [key, exchange] of this.#exchanges) {
      if (!key.startsWith(keyOf(member, ''))) continue
      this.#exchanges.delete(key)
      if (exchange.outcome !== undefined) continue
      exchange.abort('proxy', 'its process has ended')
      exchange.done('failed')
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#store.forgetAll()
  }

  #beginAll(): void {
    clearTimeout(this.#timer)
    this.#awaited.clear()
    const begun = this.#begun.toSorted((one, other) => one.begun - other.begun)
    const copies = this.#copies
    this.#begun = []
    this.#copies = []
    for (const { member, id, client, begun: at } of begun) {
      const exchange = this.#store.begin(client, {
        id: `live-${member}-${id.slice('live-'.length)}`,
        begun: at,
      })
      this.#exchanges.set(keyOf(member, id), exchange)
    }
    for (const apply of copies) apply()
  }

  #apply(member: string, id: string, copy: CopiedExchange): void {
    const exchange = this.#exchanges.get(keyOf(member, id))
    if (exchange === undefined) return
    if (copy.outcome !== undefined) this.#exchanges.delete(keyOf(member, id))
    // It may have been too much for the store meanwhile.
    if (this.#store.sessionOf(exchange) !== undefined) applyCopy(exchange, copy)
  }
}

function keyOf(member: string, id: string): string {
  return `${member} ${id}`
}
