import { performance } from 'node:perf_hooks'
import type { LiveReader } from '../live/live-reader.ts'
import { eventRows } from '../page/event-rows.ts'
import { lanesOf } from '../page/exchange-page.ts'
import type { ExchangeUpdate } from '../page/page-data.ts'
import type { LiveExchange } from '../store/live-exchange.ts'
import type { Feed } from './feed.ts'

/** How often a page is told what is new, at most, in milliseconds. */
const PERIOD = 120
/** Reading takes at most one part in this many of the time. */
const SHARE = 12

/** Tells one page how an exchange goes on, until it is over. */
export class ExchangeFeed {
  readonly #feed: Feed
  readonly #reader: LiveReader
  readonly #exchange: LiveExchange
  #rows = 0
  #version = -1
  #timer: NodeJS.Timeout | undefined

  constructor(feed: Feed, reader: LiveReader, exchange: LiveExchange) {
    this.#feed = feed
    this.#reader = reader
    this.#exchange = exchange
    this.#tell()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #tell(): void {
    const from = performance.now()
    const isOver = this.#exchange.outcome !== undefined
    if (this.#feed.isReady && this.#version !== this.#exchange.version) this.#sendNews()
    if (isOver && this.#version === this.#exchange.version) {
      this.#feed.end()
      return
    }
    const took = performance.now() - from
    this.#timer = setTimeout(() => this.#tell(), Math.max(PERIOD, took * SHARE)).unref()
  }

  #sendNews(): void {
    this.#version = this.#exchange.version
    const read = this.#reader.read(this.#exchange)
    if (read === undefined) return
    const rows = eventRows(read.taped)
    // The last row may still grow.
    const rowsFrom = Math.max(0, Math.min(this.#rows, rows.length) - 1)
    this.#rows = rows.length
    const { summary, entry, taped } = read
    const update: ExchangeUpdate = {
      entry,
      summary,
      rowsFrom,
      rows: rows.slice(rowsFrom),
      lanes: lanesOf(taped),
    }
    this.#feed.send('exchange', update)
  }
}
