import type { Miss } from '../match/explain-miss.ts'
import type { FirstDifference } from '../match/first-difference.ts'
import type { MatchedBy } from '../match/matcher.ts'

/** A request to a tape that is played, and what answers it. */
export type PlayedRequest = AnsweredRequest | MissedRequest

/** A request that a recording answers. */
export interface AnsweredRequest {
  readonly method: string
  readonly path: string
  readonly exchange: number
  /** Which call of the exchange, from 1. */
  readonly call: number
  readonly by: MatchedBy
  /** What was not as recorded. */
  readonly difference: FirstDifference | undefined
  readonly miss?: undefined
}

/** A request that no recording answers. */
export interface MissedRequest {
  readonly method: string
  readonly path: string
  readonly miss: Miss
}
