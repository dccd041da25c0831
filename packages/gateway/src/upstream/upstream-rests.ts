/**
 * What is left alone for a while, as several gateways know it together: keys that were refused, upstreams that keep
 * failing. Names hold no secrets.
 */
export interface UpstreamRests {
  /** Milliseconds for which it is still to be left alone; 0 if it is not. */
  restOf(name: string): number
  /** Leaves something alone for a time in milliseconds. */
  rest(name: string, milliseconds: number): void
  /** It works again, before its time. */
  works(name: string): void
}

/** For a gateway that shares nothing. */
export const NO_RESTS: UpstreamRests = { restOf: () => 0, rest() {}, works() {} }
