import type { EntryListener } from '../live/live-reader.ts'
import type { ExchangeEntry, SessionEntry } from '../page/page-data.ts'
import type { Feed } from './feed.ts'

/** How long changes are gathered, in milliseconds. */
const GATHER = 120
/** This many entries go out at once: a page draws between two batches. */
const MAX_BATCH = 500

/** Tells one page what changes in the list, gathered: the same entry may change many times in between. */
export class ListFeed implements EntryListener {
  readonly #feed: Feed
  readonly #sessions = new Map<string, SessionEntry>()
  readonly #entries = new Map<string, ExchangeEntry>()
  #gone: string[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(feed: Feed) {
    this.#feed = feed
    feed.onReady = () => this.#plan()
  }

  session(entry: SessionEntry): void {
    this.#sessions.set(entry.key, entry)
    this.#plan()
  }

  entry(entry: ExchangeEntry): void {
    this.#entries.set(entry.id, entry)
    this.#plan()
  }

  gone(id: string): void {
    this.#entries.delete(id)
    this.#gone.push(id)
    this.#plan()
  }

  /** Sends what was gathered, at once. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#feed.isReady) return
    const entries = [...this.#entries.values()].slice(0, MAX_BATCH)
    for (const { id } of entries) this.#entries.delete(id)
    this.#feed.send('list', { sessions: [...this.#sessions.values()], entries, gone: this.#gone })
    this.#sessions.clear()
    this.#gone = []
    if (this.#entries.size > 0) this.#plan()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#entries.clear()
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => this.flush(), GATHER).unref()
  }
}
