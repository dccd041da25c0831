import type { TapedHeaders } from '@hydra/tape'
import type { ExchangeAccount, SessionAccount } from '../show/account.ts'

/** What the list of the page needs; each exchange lies in an element of its own, and is read when it is looked at. */
export interface PageIndex {
  readonly sessions: readonly SessionEntry[]
}

/** A session in the list. */
export interface SessionEntry extends Omit<SessionAccount, 'exchanges'> {
  readonly exchanges: readonly ExchangeEntry[]
}

/** An exchange in the list. */
export interface ExchangeEntry {
  /** The id of the element that holds it. */
  readonly id: string
  readonly number: number
  readonly title: string
  readonly kind: ExchangeAccount['ending']['kind']
  /** Microseconds from its begin to its end. */
  readonly span: number
  readonly notes: number
}

/** All that the page shows of one exchange. */
export interface ExchangePage {
  readonly account: ExchangeAccount
  readonly rows: readonly EventRow[]
  readonly lanes: readonly Lane[]
  readonly marks: readonly TimeMark[]
  readonly requests: readonly RequestView[]
  readonly heads: readonly HeadView[]
}

/** The events of one moment: what came from the upstream, and what the client got because of it. */
export interface EventRow {
  readonly at: number
  readonly upstream: readonly EventView[]
  readonly client: readonly EventView[]
}

/** One event of a stream, or a body that is none. */
export interface EventView {
  readonly name: string
  /** What it says, in a few words. */
  readonly hint: string
  readonly data: string
  /** Its end never came. */
  readonly cut?: true
}

/** The chunks of one leg: when they came and how long they were. */
export interface Lane {
  readonly name: 'upstream' | 'client'
  readonly chunks: readonly (readonly [at: number, bytes: number])[]
}

/** Something that happened at a time. */
export interface TimeMark {
  readonly at: number
  readonly label: string
}

/** A request, in parts; equal parts of different requests are kept once for the whole page. */
export interface RequestView {
  readonly title: string
  readonly side: 'client' | 'upstream'
  readonly line: string
  readonly parts: readonly RequestPart[]
}

/** A part of a request: a field, or one of its messages. */
export interface RequestPart {
  readonly label: string
  /** Its place in the table of pieces. */
  readonly piece: number
}

/** The headers of one message, as far as they are on the tape. */
export interface HeadView {
  readonly title: string
  readonly line: string
  readonly headers: TapedHeaders
}
