import type { LiveExchange } from '../store/live-exchange.ts'
import type { LiveStore, StoreListener } from '../store/live-store.ts'
import { copyExchange, type Known, nothingKnown } from './copy-exchange.ts'
import type { BegunCopy, FromMember } from './messages.ts'

/** How long changes are gathered, in milliseconds. */
const GATHER = 100

/** Sends something and tells when it is on its way. */
export type Send = (message: FromMember, onSent?: () => void) => void

/** Copies a store to another process, from now on until it is stopped: first what is there, then what is new. */
export class StoreCopier implements StoreListener {
  readonly #store: LiveStore
  readonly #send: Send
  readonly #known = new Map<LiveExchange, Known>()
  readonly #changed = new Set<LiveExchange>()
  #timer: NodeJS.Timeout | undefined
  #isSending = false

  constructor(store: LiveStore, send: Send) {
    this.#store = store
    this.#send = send
    const kept = [...store.sessions].flatMap(({ exchanges, client }) =>
      exchanges.map((exchange) => ({ exchange, client })),
    )
    const ordered = kept.toSorted((one, other) => one.exchange.begun - other.exchange.begun)
    send({ type: 'begun', exchanges: ordered.map(({ exchange, client }) => this.#begin(exchange, client)) })
    store.listener = this
    this.#plan()
  }

  began(exchange: LiveExchange, { client }: { readonly client: BegunCopy['client'] }): void {
    // At once: which of two came first is seen by the order in which they are sent.
    this.#send({ type: 'begun', exchanges: [this.#begin(exchange, client)] })
  }

  changed(exchange: LiveExchange): void {
    if (!this.#known.has(exchange)) return
    this.#changed.add(exchange)
    this.#plan()
  }

  gone(exchange: LiveExchange): void {
    this.#known.delete(exchange)
    this.#changed.delete(exchange)
    if (exchange.outcome === undefined) this.#send({ type: 'forgotten', id: exchange.id })
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#store.listener = undefined
    this.#changed.clear()
    this.#known.clear()
  }

  #begin(exchange: LiveExchange, client: BegunCopy['client']): BegunCopy {
    this.#known.set(exchange, nothingKnown())
    this.#changed.add(exchange)
    return { id: exchange.id, client, begun: exchange.begun }
  }

  #plan(): void {
    if (this.#isSending || this.#changed.size === 0) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#sendAll()
    }, GATHER).unref()
  }

  /** Each exchange when the one before is on its way: a long history must not be copied at once. */
  async #sendAll(): Promise<void> {
    this.#isSending = true
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const exchange of changed) {
      const known = this.#known.get(exchange)
      if (known === undefined) continue
      const message = { type: 'copy', id: exchange.id, copy: copyExchange(exchange, known) } as const
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      await new Promise<void>((resolve) => this.#send(message, resolve))
    }
    this.#isSending = false
    this.#plan()
  }
}
