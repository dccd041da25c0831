/** How far a client is from a limit that the gateway itself has set for it. */
export interface LimitLevel {
  readonly limit: number
  readonly remaining: number
  /** When all of it is there again: milliseconds from now, and the same as an ISO date, because the core has no clock. */
  readonly resetsIn: number
  readonly resetsAt: string
}

/** The rates of a client, as far as they are limited. */
export interface LimitState {
  readonly requests?: LimitLevel | undefined
  readonly tokens?: LimitLevel | undefined
}
