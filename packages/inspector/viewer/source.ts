import type { ExchangeSummary } from '../src/summary/session-summary.ts'
import type { ExchangeEntry, ExchangePage, ExchangeUpdate, SessionEntry } from '../src/page/page-data.ts'

/** What changed in the list. */
export interface ListChange {
  readonly sessions: readonly SessionEntry[]
  readonly entries: readonly ExchangeEntry[]
  readonly gone: readonly string[]
}

/** What a live source says of itself. */
export type Connection = 'open' | 'lost' | 'key'

/** Where what is shown comes from: a running proxy, or the file that the page is in. */
export interface Source {
  readonly isLive: boolean
  /** The models and the routes that a request can be sent to again. */
  readonly models: readonly string[]
  readonly routes: readonly string[]
  listen(onChange: (change: ListChange) => void, onConnection: (state: Connection) => void): void
  page(id: string): Promise<ExchangePage>
  /** The summaries of exchanges, in the order of the ids; those that are not kept any more are left out. */
  summaries(ids: readonly string[]): Promise<ReadonlyMap<string, ExchangeSummary>>
  /** Tells how an exchange goes on; gives what ends that. */
  watch(id: string, onUpdate: (update: ExchangeUpdate) => void): () => void
  /** The ids of the exchanges in which all words occur. */
  search(words: readonly string[]): Promise<ReadonlySet<string>>
  login(key: string): Promise<boolean>
  /** Sends the request of an exchange again, to another model or by another route; '' keeps what it was. Gives what went wrong. */
  again(id: string, to: { readonly model: string; readonly route: string }): Promise<string | undefined>
}
