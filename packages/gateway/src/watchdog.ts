import type { HubError } from '@hydra/core'

/** Something that must not wait for ever. */
export interface Watched {
  /** When it wants to be looked at, by the watchdog's clock; it sets a later time itself. */
  readonly deadline: number
  expired(now: number): void
  /** Gives up now, and says why. */
  fail(error: HubError): void
}

const INTERVAL = 250

/** Looks after everything that waits, with one timer for all of it. */
export class Watchdog {
  readonly #watched = new Set<Watched>()
  readonly #clock: () => number
  /** What ended everything, once the gateway closes. */
  closing: HubError | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  /** The clock counts milliseconds and never jumps. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock()
  }

  watch(watched: Watched): void {
    if (this.closing !== undefined) {
      watched.fail(this.closing)
      return
    }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#look(), INTERVAL)
  }

  forget(watched: Watched): void {
    this.#watched.delete(watched)
    if (this.#watched.size === 0) this.#rest()
  }

  get size(): number {
    return this.#watched.size
  }

  /** Ends everything that still waits, and whatever begins to wait from now on. */
  failAll(error: HubError): void {
    this.closing = error
    for (const watched of this.#watched) watched.fail(error)
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const now = this.now()
    for (const watched of this.#watched) if (watched.deadline <= now) watched.expired(now)
  }
}
