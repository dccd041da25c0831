import type * as v from 'valibot'
import type { Complete } from '../schema/complete.ts'
import type { breaker } from '../schema/limits.ts'
import { NO_RESTS, type UpstreamRests } from './upstream-rests.ts'

/** When an upstream counts as broken. */
export type BreakerLimits = Complete<v.InferInput<typeof breaker>>

/** What a breaker shares with those of other gateways. */
export interface SharedBreaker {
  readonly name: string
  readonly rests: UpstreamRests
}

/** How a breaker sees its upstream: all is well, it is left alone, or one call probes it. */
export type BreakerState = 'closed' | 'open' | 'probing'

/** Another gateway has closed it when its rest ends this many milliseconds early; less is rounding. */
const MIN_EARLY = 100

/**
 * Spares an upstream that keeps failing, and the clients the wait for it.
 * After its rest exactly one call goes through; whether that one works decides for all others.
 */
export class Breaker {
  readonly #limits: BreakerLimits
  readonly #now: () => number
  readonly #shared: SharedBreaker
  #inRow = 0
  #windowStart = -Infinity
  #calls = 0
  #failures = 0
  /** When the rest is over; undefined while all is well. */
  #restsUntil: number | undefined
  #isProbing = false
  /** Another gateway has opened it, and may close it. */
  #isAdopted = false

  constructor(
    limits: BreakerLimits,
    now: () => number,
    shared: SharedBreaker = { name: '', rests: NO_RESTS },
  ) {
    this.#limits = limits
    this.#now = now
    this.#shared = shared
  }

  /** Milliseconds until a call may be tried, 0 for now; a call that may be tried must report how it went. */
  enter(): number {
    this.#adopt()
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

  get state(): BreakerState {
    if (this.#restsUntil === undefined) return 'closed'
    return this.#isProbing ? 'probing' : 'open'
  }

  succeeded(): void {
    this.#count()
    this.#inRow = 0
    if (!this.#isProbing) return
    this.#close()
    this.#shared.rests.works(this.#shared.name)
  }

  failed(): void {
    // A call from before the rest says nothing about what comes after it.
    if (this.isOpen && !this.#isProbing) return
    this.#count()
    this.#failures += 1
    this.#inRow += 1
    if (this.#isProbing || this.#isTooMuch()) this.#open()
    this.#isProbing = false
  }

  /** The call was given up, which says nothing about the upstream. */
  abandoned(): void {
    this.#isProbing = false
  }

  /** What another gateway has found out needs not be found out again; after the rest one call probes here, too. */
  #adopt(): void {
    if (this.#isProbing) return
    const rest = this.#shared.rests.restOf(this.#shared.name)
    const own = (this.#restsUntil ?? -Infinity) - this.#now()
    if (rest > 0 && own <= 0) {
      this.#restsUntil = this.#now() + rest
      this.#isAdopted = true
    }
    if (this.#isAdopted && rest <= 0 && own > MIN_EARLY) this.#close()
  }

  #open(): void {
    this.#restsUntil = this.#now() + this.#limits.rest
    this.#isAdopted = false
    this.#shared.rests.rest(this.#shared.name, this.#limits.rest)
  }

  #close(): void {
    this.#isProbing = false
    this.#isAdopted = false
    this.#restsUntil = undefined
    this.#windowStart = -Infinity
    this.#inRow = 0
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
