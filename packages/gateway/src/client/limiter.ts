import type { HubError, HubUsage, LimitState } from '@hydra/core'
import type { ExchangeReport } from '../exchange/report.ts'
import type { ClientIdentity } from './client-identity.ts'

/** Counts what clients use; `@hydra/team` has one. */
export interface Limiter {
  /** Asks whether a request may begin, before an upstream is called. */
  admit(client: ClientIdentity, demand: Demand): Promise<Admission>
}

/** What a request may need. */
export interface Demand {
  /** The model that the client asked for, and the one that will be called. */
  readonly model: string
  readonly upstreamModel: string
  readonly upstream: string
  /** Those that may be called in its place. */
  readonly fallbacks?: readonly Pick<Demand, 'upstreamModel' | 'upstream'>[] | undefined
  /** About how many tokens its prompt has. */
  readonly input: number
  /** The most tokens that its answer may have, if the client says so. */
  readonly maxOutput: number | undefined
  /** How many answers it asks for; 1 if it does not say. */
  readonly answers?: number | undefined
}

/** Whether a request may begin. */
export interface Admission {
  /** Why it may not. */
  readonly refusal?: HubError | undefined
  /** How far the client is from its limits. */
  readonly limits?: LimitState | undefined
  /** Called once when the exchange is over, also if nothing came of it. */
  readonly settle?: ((used: UsedTokens, report: ExchangeReport) => void) | undefined
}

/** What an exchange used. */
export interface UsedTokens {
  /** With what was read from or written to a cache. */
  readonly input: number
  readonly output: number
  /** What the upstream said; absent where the exchange ended before it did, and the numbers are by length. */
  readonly usage?: HubUsage | undefined
}
