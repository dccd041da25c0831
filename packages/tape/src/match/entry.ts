import type { TapedRequest } from '../format/tape.ts'
import type { CanonicalRequest } from './canonical-request.ts'

/** A recorded request that can be asked again. */
export interface Matchable {
  /** The number of the exchange on the tape. */
  readonly exchange: number
  /** Which call of that exchange, from 1. */
  readonly call: number
  readonly request: TapedRequest
}

/** A recorded request and how often it has been asked again. */
export interface Entry<Recording extends Matchable = Matchable> {
  readonly recording: Recording
  readonly canonical: CanonicalRequest
  uses: number
}

/** What the side of a tape that is not played could answer. */
export interface OtherLeg {
  readonly name: string
  readonly routes: ReadonlySet<string>
}
