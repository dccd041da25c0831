/** When an upstream counts as broken. */
export interface BreakerLimits {
  /** So many failures in a row. */
  readonly consecutive: number
  /** This share of all calls of a window, if there were enough of them. */
  readonly share: number
  readonly leastCalls: number
  /** The length of a window, in milliseconds. */
  readonly window: number
  /** How long a broken upstream is left alone before one call probes it, in milliseconds. */
  readonly rest: number
}

/**
 * Spares an upstream that keeps failing, and the clients the wait for it.
 * After its rest exactly one call goes through; whether that one works decides for all others.
 */
export class Breaker {
  readonly #limits: BreakerLimits
  readonly #now: () => number
  #inRow = 0
  #windowStart = -Infinity
  #calls = 0
  #failures = 0
  /** When the rest is over; undefined while all is well. */
  #restsUntil: number | undefined
  #isProbing = false

  constructor(limits: BreakerLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Milliseconds until a call may be tried, 0 for now; a call that may be tried must report how it went. */
  enter(): number {
    if (this.#restsUntil === undefined) return 0
    const wait = this.#restsUntil - this.#now()
    if (wait > 0) return wait
    // The probe needs a while; how long is not known.
    if (this.#isProbing) return this.#limits.rest
    this.#isProbing = true
    return 0
  }

  /** Whether calls are refused for now. */
  get isOpen(): boolean {
    return this.#restsUntil !== undefined
  }

  succeeded(): void {
    this.#count()
    this.#inRow = 0
    if (!this.#isProbing) return
    this.#isProbing = false
    this.#restsUntil = undefined
    this.#windowStart = -Infinity
  }

  failed(): void {
    // A call from before the rest says nothing about what comes after it.
    if (this.isOpen && !this.#isProbing) return
    this.#count()
    this.#failures += 1
    this.#inRow += 1
    if (this.#isProbing || this.#isTooMuch()) this.#restsUntil = this.#now() + this.#limits.rest
    this.#isProbing = false
  }

  /** The call was given up, which says nothing about the upstream. */
  abandoned(): void {
    this.#isProbing = false
  }

  /** Windows follow one another: that is a little coarser than sliding ones, and needs three numbers only. */
  #count(): void {
    const now = this.#now()
    if (now - this.#windowStart >= this.#limits.window) {
      this.#windowStart = now
      this.#calls = 0
      this.#failures = 0
    }
    this.#calls += 1
  }

  #isTooMuch(): boolean {
    const { consecutive, leastCalls, share } = this.#limits
    if (this.#inRow >= consecutive) return true
    return this.#calls >= leastCalls && this.#failures >= this.#calls * share
  }
}
