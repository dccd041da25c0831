import type { TapedHeaders, TapeHeader, TapeProblem } from '@hydra/tape'
import type { ExchangeSummary, Tokens } from '../summary/session-summary.ts'

/** What the list of a page from a file needs; each exchange lies in an element of its own, and is read when it is looked at. */
export interface PageIndex {
  readonly sessions: readonly SessionEntry[]
  readonly exchanges: readonly ExchangeEntry[]
}

/** A session in the list. */
export interface SessionEntry {
  readonly key: string
  readonly name: string
  /** The client as it names itself. */
  readonly client: string
  readonly source: 'live' | 'tape'
  /** When it began, in milliseconds since the epoch. */
  readonly started: number
  /** What is wrong with its tape. */
  readonly problems: readonly TapeProblem[]
  /** Where an imported tape comes from, and what that source did not keep. */
  readonly imported?: TapeHeader['imported']
}

/** Which of the agents of a session sent a request. */
export interface AgentEntry {
  readonly key: string
  readonly kind: 'main' | 'subagent' | 'side'
  /** What the client calls it, for agents that another one has started. */
  readonly id?: string
}

/** How far an exchange is, or how it ended. */
export type ExchangeState = 'waiting' | 'streaming' | ExchangeSummary['ending']['kind']

/** An exchange in the list. */
export interface ExchangeEntry {
  readonly id: string
  /** The key of its session. */
  readonly session: string
  readonly number: number
  readonly agent: AgentEntry
  /** The words that a person typed, if there are new ones; else what the request brings. */
  readonly title: string
  /** Somebody typed something, as opposed to results of tools that go back to the model. */
  readonly isTurn: boolean
  readonly state: ExchangeState
  /** When it began, in milliseconds since the epoch. */
  readonly begun: number
  /** Microseconds from its begin to its end, and to the first token. */
  readonly span: number
  readonly firstToken?: number | undefined
  readonly client: string
  readonly dialect?: string | undefined
  /** The model that the client asked for, the one that was called, and the name under which the client sees that one. */
  readonly asked?: string | undefined
  readonly called?: string | undefined
  readonly shownAs?: string | undefined
  readonly upstream?: string | undefined
  readonly route?: string | undefined
  readonly status?: number | undefined
  readonly tokens?: Tokens | undefined
  /** What it cost in US dollars; absent where nobody knows. */
  readonly cost?: number | undefined
  /** Why nobody knows, in words. */
  readonly costUnknown?: string | undefined
  /** What the same tokens would have cost without a cache, less what they cost. */
  readonly saved?: number | undefined
  /** The codes of its notes. */
  readonly notes: readonly string[]
  /** The tools that the model called. */
  readonly tools: readonly string[]
  readonly attempts: number
  /** Bytes of the request. */
  readonly size: number
  /** The number of the exchange whose conversation goes on here. */
  readonly continues?: number | undefined
  /** The id of the exchange whose request was sent again here. */
  readonly again?: string | undefined
}

/** All that the page shows of one exchange. */
export interface ExchangePage {
  readonly summary: ExchangeSummary
  readonly rows: readonly EventRow[]
  readonly lanes: readonly Lane[]
  readonly marks: readonly TimeMark[]
  readonly requests: readonly RequestView[]
  readonly heads: readonly HeadView[]
  readonly context?: ContextView | undefined
  /** The texts of its requests' parts, where the page has no table for all exchanges. */
  readonly pieces?: readonly string[]
}

/** What a live page is told of an exchange that goes on: rows replace those from a place on. */
export interface ExchangeUpdate {
  readonly entry: ExchangeEntry
  readonly summary: ExchangeSummary
  readonly rowsFrom: number
  readonly rows: readonly EventRow[]
  readonly lanes: readonly Lane[]
}

/** What fills the context of a request, in the order in which a provider's cache sees it. */
export interface ContextView {
  readonly parts: readonly ContextPart[]
  readonly bytes: number
  readonly prefix?: PrefixView | undefined
}

/** A part of a request's context. */
export interface ContextPart {
  readonly kind: 'tool' | 'system' | 'message'
  readonly label: string
  /** Its first words, or the tool whose call or result it is. */
  readonly about: string
  readonly bytes: number
}

/** How the context compares with that of the request before it in the same conversation. */
export interface PrefixView {
  /** The number of that exchange. */
  readonly against: number
  /** The bytes of the beginning that both have. */
  readonly same: number
  /** The bytes that the earlier one had. */
  readonly before: number
  /** The first place that differs, if the earlier one is not wholly the beginning of this one. */
  readonly broken?: { readonly label: string; readonly was: string; readonly is: string } | undefined
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
