import { performance } from 'node:perf_hooks'
import type { Redaction, TapedExchange, TapeRedaction } from '@hydra/tape'
import type { ExchangeEntry, ExchangePage, SessionEntry } from '../page/page-data.ts'
import { searchText } from '../page/search-text.ts'
import type { LiveExchange } from '../store/live-exchange.ts'
import type { LiveSession, LiveStore, StoreListener } from '../store/live-store.ts'
import { ReadingPace } from './reading-pace.ts'
import { roughEntry } from './rough-entry.ts'
import { type ReadExchange, SessionReader } from './session-reader.ts'

/** Who hears what changed in the list. */
export interface EntryListener {
  session(entry: SessionEntry): void
  entry(entry: ExchangeEntry): void
  gone(id: string): void
}

/** How long is read at once, in milliseconds. */
const SLICE = 4

/** What was read is kept for so long behind the last page: one that is loaded again finds it, in milliseconds. */
const FORGET_AFTER = 10_000

/** The list of a live store for those who look at it. Without listeners it does nothing. */
export class LiveReader implements StoreListener {
  readonly #store: LiveStore
  readonly #redaction: TapeRedaction
  readonly #listeners = new Set<EntryListener>()
  readonly #sessions = new Map<LiveSession, SessionReader>()
  readonly #byId = new Map<string, LiveExchange>()
  readonly #entries = new Map<string, ExchangeEntry>()
  readonly #texts = new Map<string, string>()
  readonly #unread = new Set<LiveExchange>()
  #timer: NodeJS.Timeout | undefined
  #forgetting: NodeJS.Timeout | undefined
  readonly #pace = new ReadingPace()

  constructor(store: LiveStore, redaction: Redaction) {
    this.#store = store
    this.#redaction = redaction.forTape()
  }

  /** Begins to listen; what is there already is told first. */
  listen(listener: EntryListener): () => void {
    this.#listeners.add(listener)
    clearTimeout(this.#forgetting)
    if (this.#store.listener === this) this.#tellAll(listener)
    else this.#wake()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#forgetting = setTimeout(() => this.#sleep(), FORGET_AFTER).unref()
    }
  }

  began(exchange: LiveExchange, session: LiveSession): void {
    this.#add(exchange, session)
  }

  changed(exchange: LiveExchange): void {
    // Each chunk changes an exchange, but only its first one changes the list.
    if (exchange.outcome === undefined && exchange.answer.log.count > 1) return
    if (!this.#byId.has(exchange.id)) return
    this.#unread.add(exchange)
    this.#tell(this.#known(exchange))
    this.#plan(0)
  }

  gone(exchange: LiveExchange, session: LiveSession): void {
    const { id } = exchange
    this.#byId.delete(id)
    this.#entries.delete(id)
    this.#texts.delete(id)
    this.#unread.delete(exchange)
    this.#sessions.get(session)?.forget(exchange)
    if (session.exchanges.length === 0) this.#sessions.delete(session)
    for (const listener of this.#listeners) listener.gone(id)
  }

  /** An exchange by its id, also while nobody listens. */
  find(id: string): LiveExchange | undefined {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    for (const { exchanges } of this.#store.sessions) {
      const found = exchanges.find((exchange) => exchange.id === id)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Reads what an exchange is only understood next to, while the traffic goes on; later it can be read at once. */
  async prepare(exchange: LiveExchange): Promise<void> {
    while (this.#listeners.size > 0 && this.#byId.has(exchange.id)) {
      const before = this.#readerOf(exchange)?.unreadBefore(exchange) ?? []
      if (before.length === 0) return
      this.#readSome(before)
      // oxlint-disable-next-line no-await-in-loop -- one slice after the other is the point
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  read(exchange: LiveExchange): ReadExchange | undefined {
    return this.#readerOf(exchange)?.read(exchange)
  }

  /** The session of an exchange: what its client is called, and all its exchanges. */
  sessionOf(exchange: LiveExchange): { readonly name: string; readonly exchanges: readonly TapedExchange[] } {
    const reader = this.#readerOf(exchange)
    const exchanges = reader?.session.exchanges.map((one) => reader.read(one).taped) ?? []
    return { name: reader?.entry.client ?? '', exchanges }
  }

  page(exchange: LiveExchange): (ExchangePage & { readonly entry: ExchangeEntry }) | undefined {
    const page = this.#readerOf(exchange)?.page(exchange)
    // Who looks at an exchange does not wait for the list to come to it.
    if (page !== undefined && this.#byId.has(exchange.id)) {
      this.#entries.set(exchange.id, page.entry)
      this.#tell(page.entry)
    }
    return page
  }

  /** Reads everything, while the traffic goes on. */
  async prepareAll(): Promise<void> {
    for (let left = this.#newest(); left.length > 0 && this.#listeners.size > 0; left = this.#newest()) {
      this.#readSome(left)
      // oxlint-disable-next-line no-await-in-loop -- one slice after the other is the point
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** The ids of the exchanges in which all words occur, as far as they were read. */
  search(words: readonly string[]): string[] {
    return [...this.#texts].flatMap(([id, text]) => (words.every((word) => text.includes(word)) ? [id] : []))
  }

  #wake(): void {
    for (const session of this.#store.sessions) {
      for (const exchange of session.exchanges) this.#add(exchange, session)
    }
    this.#store.listener = this
  }

  #tellAll(listener: EntryListener): void {
    for (const reader of this.#sessions.values()) listener.session(reader.entry)
    for (const exchange of this.#byId.values()) listener.entry(this.#known(exchange))
    this.#plan(0)
  }

  #sleep(): void {
    this.#store.listener = undefined
    for (const held of [this.#sessions, this.#byId, this.#entries, this.#texts, this.#unread]) held.clear()
  }

  #add(exchange: LiveExchange, session: LiveSession): void {
    if (!this.#sessions.has(session)) {
      const reader = new SessionReader(session, this.#redaction)
      this.#sessions.set(session, reader)
      for (const listener of this.#listeners) listener.session(reader.entry)
    }
    this.#byId.set(exchange.id, exchange)
    this.#unread.add(exchange)
    this.#tell(this.#known(exchange))
    this.#plan(0)
  }

  #known(exchange: LiveExchange): ExchangeEntry {
    const session = this.#store.sessionOf(exchange)
    const known = this.#entries.get(exchange.id)
    const isRead = !this.#unread.has(exchange)
    return known !== undefined && isRead ? known : roughEntry(exchange, session?.key ?? '', known)
  }

  #readerOf(exchange: LiveExchange): SessionReader | undefined {
    const session = this.#store.sessionOf(exchange)
    if (session === undefined) return undefined
    const known = this.#sessions.get(session)
    if (known !== undefined) return known
    const reader = new SessionReader(session, this.#redaction)
    if (this.#listeners.size > 0) this.#sessions.set(session, reader)
    return reader
  }

  #plan(pause: number): void {
    if (this.#timer !== undefined || this.#listeners.size === 0 || this.#unread.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const took = this.#readSlice()
      this.#plan(this.#isBusy() ? this.#pace.pauseAfter(took) : 0)
    }, pause).unref()
  }

  /** What came last, behind what it is only understood next to: it is what somebody waits for. */
  #newest(): LiveExchange[] {
    const newest = [...this.#unread].at(-1)
    if (newest === undefined) return []
    return [...(this.#readerOf(newest)?.unreadBefore(newest) ?? []), newest]
  }

  #readSlice(): number {
    const from = performance.now()
    while (this.#unread.size > 0 && performance.now() - from < SLICE) this.#readSome(this.#newest())
    return performance.now() - from
  }

  #readSome(exchanges: readonly LiveExchange[]): void {
    const from = performance.now()
    for (const exchange of exchanges) {
      this.#readOne(exchange)
      if (performance.now() - from > SLICE) break
    }
  }

  #readOne(exchange: LiveExchange): void {
    this.#unread.delete(exchange)
    // What has not come yet changes the exchange when it comes.
    if (exchange.request === undefined) return
    const read = this.read(exchange)
    if (read === undefined) return
    this.#entries.set(exchange.id, read.entry)
    this.#texts.set(exchange.id, searchText(read.summary))
    this.#tell(read.entry)
  }

  #isBusy(): boolean {
    for (const { exchanges } of this.#sessions.keys()) {
      if (exchanges.at(-1)?.outcome === undefined) return true
    }
    return false
  }

  #tell(entry: ExchangeEntry): void {
    for (const listener of this.#listeners) listener.entry(entry)
  }
}
