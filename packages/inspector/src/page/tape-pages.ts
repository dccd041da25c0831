import { TapeMemory, type Tape, type TapedExchange } from '@hydra/tape'
import type { ExchangeSummary, SessionSummary } from '../summary/session-summary.ts'
import { readRequest } from '../summary/read-request.ts'
import { Agents } from './agents.ts'
import { contextView } from './context-view.ts'
import { exchangeEntry } from './exchange-entry.ts'
import { exchangePage } from './exchange-page.ts'
import type { ContextView, ExchangeEntry, ExchangePage, SessionEntry } from './page-data.ts'
import type { PieceTable } from './request-parts.ts'

/** A tape and its summary. */
export interface SummarizedTape {
  readonly tape: Tape
  readonly summary: SessionSummary
}

/** An exchange of a tape: its entry, and its page when somebody looks. */
export interface ReadTape {
  readonly entry: ExchangeEntry
  readonly page: () => ExchangePage
}

/** A tape in the list of sessions. */
export function sessionEntry({ summary }: SummarizedTape, key: string): SessionEntry {
  const { header, name, problems } = summary
  return {
    key,
    name,
    client: header.client ?? 'unknown',
    source: 'tape',
    started: Date.parse(header.started),
    problems,
    ...(header.imported !== undefined && { imported: header.imported }),
  }
}

/** The exchanges of a tape. */
export function readTapePages(
  { tape, summary }: SummarizedTape,
  session: SessionEntry,
  table: PieceTable,
): ReadTape[] {
  const agents = new Agents()
  return summary.exchanges.flatMap((exchange) => {
    const taped = tape.exchanges.find(({ number }) => number === exchange.number)
    if (taped === undefined) return []
    const agent = agents.of(taped, exchange)
    const id = `${session.key}-${exchange.number}`
    const facts = { id, session: session.key, agent, origin: session.started }
    const page = (): ExchangePage =>
      exchangePage(taped, exchange, { table, context: contextOf(taped, exchange, tape.exchanges) })
    return [{ entry: exchangeEntry(taped, exchange, facts), page }]
  })
}

/** What fills the context of an exchange, next to the one that it continues. */
export function contextOf(
  taped: TapedExchange,
  { request }: ExchangeSummary,
  exchanges: readonly TapedExchange[],
): ContextView | undefined {
  const memory = new TapeMemory()
  const hub = readRequest(taped, memory)?.hub
  if (hub === undefined) return undefined
  const before = exchanges.find(({ number }) => number === request?.continues?.exchange)
  const earlier = before === undefined ? undefined : readRequest(before, memory)?.hub
  const known =
    before === undefined || earlier === undefined ? undefined : { number: before.number, hub: earlier }
  return contextView(hub, known)
}
