import type { HubError } from '@hydra/core'

/** Something that must not wait for ever. */
export interface Watched {
  /** When it wants to be looked at, by the watchdog's clock; it sets a later time itself. */
  readonly deadline: number
  expired(now: number): void
  /** Gives up now, and says why. */
  fail(error: HubError): void
  /** Its place among all that are watched, which only the watchdog changes. */
  place: number
}

/** The place of something that is not watched. */
export const NOWHERE = -1

const INTERVAL = 250

/**
 * Workers let a timer live no longer than the request that has set it, and touch no other request: there each that
 * waits has a timer of its own.
 */
export function timersBelongToRequests(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } }
  return navigator?.userAgent === 'Cloudflare-Workers'
}

/** Looks after everything that waits, with one timer for all of it. */
export class Watchdog {
  /**
   * A list and no `Set`: the tables that a set leaves behind when it grows hold on to their successors and to what
   * was in them, and the garbage collector then carries dead exchanges along for a long time.
   */
  readonly #watched: Watched[] = []
  readonly #clock: () => number
  /** What ended everything, once the gateway closes. */
  closing: HubError | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  /** The timers of those that have one of their own. */
  readonly #ownTimers: Map<Watched, ReturnType<typeof setInterval>> | undefined

  /** The clock counts milliseconds and never jumps. */
  constructor(clock: () => number = () => performance.now(), timers: 'shared' | 'own' = 'shared') {
    this.#clock = clock
    this.#ownTimers = timers === 'own' ? new Map() : undefined
  }

  now(): number {
    return this.#clock()
  }

  watch(watched: Watched): void {
    if (this.closing !== undefined) {
      watched.fail(this.closing)
      return
    }
    if (watched.place !== NOWHERE) return
    watched.place = this.#watched.push(watched) - 1
    if (this.#ownTimers === undefined) this.#timer ??= setInterval(() => this.#look(), INTERVAL)
    else
      this.#ownTimers.set(
        watched,
        setInterval(() => this.#lookAt(watched, this.now()), INTERVAL),
      )
  }

  forget(watched: Watched): void {
    const { place } = watched
    if (place === NOWHERE) return
    watched.place = NOWHERE
    clearInterval(this.#ownTimers?.get(watched))
    this.#ownTimers?.delete(watched)
    const last = this.#watched.pop()
    // The last one takes the place that is free now.
    if (last !== undefined && last !== watched) {
      this.#watched[place] = last
      last.place = place
    }
    if (this.#watched.length === 0) this.#rest()
  }

  get size(): number {
    return this.#watched.length
  }

  /** Ends everything that still waits, and whatever begins to wait from now on. */
  failAll(error: HubError): void {
    this.closing = error
    for (const watched of this.#watched.slice()) watched.fail(error)
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const now = this.now()
    for (const watched of this.#watched.slice()) this.#lookAt(watched, now)
  }

  #lookAt(watched: Watched, now: number): void {
    if (watched.place !== NOWHERE && watched.deadline <= now) watched.expired(now)
  }
}
