import type { DialectName, HubUsage, Note } from '@hydra/core'
import type { ExchangeEnd, Leg, TapedHeaders, TapeHeader, TapeLine, Via } from './lines.ts'

/** A tape as it was read: what is readable, and what is wrong with the rest. */
export interface Tape {
  /** The folder it lies in. */
  readonly folder: string
  readonly header: TapeHeader
  readonly exchanges: readonly TapedExchange[]
  readonly problems: readonly TapeProblem[]
}

/** Something that is wrong with a tape. */
export interface TapeProblem {
  /** The line of the file, from 1; 0 for what concerns no line. */
  readonly line: number
  readonly reason: string
}

/** One request of the client and everything that was done for it. */
export interface TapedExchange {
  /** From 1. */
  readonly number: number
  readonly request: TapedRequest | undefined
  /** The calls of upstreams, one after the other; more than one for retries and fallbacks. */
  readonly calls: readonly TapedCall[]
  /** What the client was sent; without a status if nothing was. */
  readonly answer: TapedAnswer
  readonly notes: readonly Note[]
  readonly usage: HubUsage | undefined
  /** Everything that happened, in order, with its time. */
  readonly moments: readonly Moment[]
  /** Undefined if the recording was interrupted: the exchange is replayed as interrupted. */
  readonly end: ExchangeEnd | undefined
}

/** A request as it went over the wire, but for secrets and headers that are not recorded. */
export interface TapedRequest {
  readonly method: string
  readonly path: string
  readonly headers: TapedHeaders
  readonly body: Uint8Array
  /** The dialect that the client speaks, on tapes that say so. */
  readonly dialect?: DialectName
  /** Microseconds since the start of the tape. */
  readonly at: number
}

/** One call of an upstream. */
export interface TapedCall {
  readonly request: TapedRequest
  readonly via: Via | undefined
  readonly answer: TapedAnswer
}

/** An answer: its head, and its body in the pieces in which it was read or written. */
export interface TapedAnswer {
  readonly status: number | undefined
  readonly headers: TapedHeaders
  /** When the head came, in microseconds since the start of the tape. */
  readonly at: number | undefined
  readonly chunks: readonly TapedChunk[]
  /** How it ended: as its protocol ends, by a side that gave up, or not at all as far as the tape knows. */
  readonly ended: 'clean' | 'aborted' | 'timeout' | 'open'
}

/** A piece of a body and the time it came, in microseconds since the start of the tape. */
export interface TapedChunk {
  readonly at: number
  readonly bytes: Uint8Array
}

/** A line with its absolute time. */
export interface Moment {
  readonly at: number
  readonly leg: Leg
  /** The line of the file, from 1. */
  readonly line: number
  readonly event: TapeLine
}
