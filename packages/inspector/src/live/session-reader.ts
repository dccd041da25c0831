import { callerOf, replayExchange, TapeMemory, type TapedExchange, type TapeRedaction } from '@hydra/tape'
import type { ExchangeSummary } from '../summary/session-summary.ts'
import { type Continuation, Continuations } from '../summary/continuation.ts'
import { summarizeExchange } from '../summary/summarize-exchange.ts'
import { Agents } from '../page/agents.ts'
import { contextOf } from '../page/tape-pages.ts'
import { exchangeEntry } from '../page/exchange-entry.ts'
import { exchangePage } from '../page/exchange-page.ts'
import type { ExchangeEntry, ExchangePage, ExchangeState, SessionEntry } from '../page/page-data.ts'
import { PieceTable } from '../page/request-parts.ts'
import { againOf } from '../serve/send-again.ts'
import type { LiveExchange } from '../store/live-exchange.ts'
import type { LiveSession } from '../store/live-store.ts'
import { tapedExchange } from '../store/taped-exchange.ts'

/** An exchange as it was read. */
export interface ReadExchange {
  readonly taped: TapedExchange
  readonly summary: ExchangeSummary
  readonly entry: ExchangeEntry
}

/** Reads the exchanges of a live session when somebody looks. */
export class SessionReader {
  readonly session: LiveSession
  readonly #redaction: TapeRedaction
  readonly #earlier = new Continuations()
  readonly #memory = new TapeMemory()
  readonly #agents = new Agents()
  readonly #continued = new Map<number, Continuation | undefined>()
  readonly #remembered = new Set<number>()

  constructor(session: LiveSession, redaction: TapeRedaction) {
    this.session = session
    this.#redaction = redaction
  }

  get entry(): SessionEntry {
    const { key, client, started } = this.session
    const name = this.#redaction.text(client.session ?? client.name)
    return {
      key,
      name,
      client: this.#redaction.text(client.name),
      source: 'live',
      started: started / 1000,
      problems: [],
    }
  }

  /** The exchanges that have to be read before this one: what a request continues is only known next to them. */
  unreadBefore(exchange: LiveExchange): LiveExchange[] {
    const { exchanges } = this.session
    const before = exchanges.slice(0, exchanges.indexOf(exchange))
    return before.filter(({ number, request }) => request !== undefined && !this.#continued.has(number))
  }

  read(exchange: LiveExchange): ReadExchange {
    for (const unread of this.unreadBefore(exchange)) this.#read(unread)
    return this.#read(exchange)
  }

  page(exchange: LiveExchange): ExchangePage & { readonly entry: ExchangeEntry } {
    const { taped, summary, entry } = this.read(exchange)
    const before = this.session.exchanges.find(
      ({ number }) => number === summary.request?.continues?.exchange,
    )
    const table = new PieceTable()
    const others = before === undefined ? [] : [tapedExchange(before, this.#redaction)]
    const page = exchangePage(taped, summary, { table, context: contextOf(taped, summary, others) })
    return { ...page, pieces: table.list, entry }
  }

  forget({ number }: LiveExchange): void {
    this.#continued.delete(number)
    this.#remembered.delete(number)
  }

  #read(exchange: LiveExchange): ReadExchange {
    const taped = tapedExchange(exchange, this.#redaction)
    const keys = exchange.reported?.keys
    const earlier = { add: (number: number, body: unknown) => this.#continuation(number, body) }
    const summary = summarizeExchange(taped, { earlier, memory: this.#memory, keys })
    this.#remember(exchange, taped)
    return { taped, summary, entry: this.#entryOf(exchange, taped, summary) }
  }

  /** An exchange is read again while it goes on, but it continues what it continued at first. */
  #continuation(number: number, body: unknown): Continuation | undefined {
    if (!this.#continued.has(number)) this.#continued.set(number, this.#earlier.add(number, body))
    return this.#continued.get(number)
  }

  /** Later requests may refer back to this one. */
  #remember({ number, outcome }: LiveExchange, taped: TapedExchange): void {
    if (outcome === undefined || this.#remembered.has(number)) return
    this.#remembered.add(number)
    if (callerOf(taped).client.recalls !== undefined) replayExchange(taped, this.#memory)
  }

  #entryOf(exchange: LiveExchange, taped: TapedExchange, summary: ExchangeSummary): ExchangeEntry {
    const agent = this.#agents.of(taped, summary)
    return exchangeEntry(taped, summary, {
      id: exchange.id,
      session: this.session.key,
      agent,
      origin: 0,
      state: stateOf(exchange),
      route: exchange.reported?.route,
      again: againOf(exchange),
    })
  }
}

/** How far an exchange is; undefined once it is over. */
export function stateOf({ outcome, answer }: LiveExchange): ExchangeState | undefined {
  if (outcome !== undefined) return undefined
  return answer.log.count === 0 ? 'waiting' : 'streaming'
}
