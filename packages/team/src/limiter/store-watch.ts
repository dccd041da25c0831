import type { Store } from '../store/store.ts'

/** Who is told when the store goes and when it is back. */
export interface StoreWatchOptions {
  readonly store: Store
  readonly onLost: (reason: string) => void
  readonly onBack: () => void
}

const PROBE_INTERVAL = 250

/** A store that is lost again so soon after it was back is probed less often each time, up to this. */
const UNSTEADY_WITHIN = 1000
const MIN_PAUSE = 50
const MAX_PAUSE = 5000

/** Knows whether the store answers; while it does not, it is probed, and no request waits for it. */
export class StoreWatch {
  readonly #options: StoreWatchOptions
  #timer: NodeJS.Timeout | undefined
  #isLost = false
  #isClosed = false
  #backAt = -Infinity
  /** Before the first probe: none, unless the store comes and goes. */
  #pause = 0

  constructor(options: StoreWatchOptions) {
    this.#options = options
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** A call to the store failed. */
  lost(thrown: unknown): void {
    if (this.#isLost || this.#isClosed) return
    this.#isLost = true
    const isUnsteady = performance.now() - this.#backAt < UNSTEADY_WITHIN
    this.#pause = isUnsteady ? Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, this.#pause * 2)) : 0
    const { store, onLost } = this.#options
    onLost(`store ${store.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    // A single call that was slow must not count for long; one that fails whenever it is made must not be made at once.
    if (this.#pause === 0) void this.#probe()
    else this.#probeIn(this.#pause)
  }

  close(): void {
    this.#isClosed = true
    this.#isLost = false
    clearTimeout(this.#timer)
  }

  #probeIn(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#probe(), milliseconds)
    this.#timer.unref()
  }

  async #probe(): Promise<void> {
    const begun = performance.now()
    try {
      await this.#options.store.ping()
    } catch {
      const took = performance.now() - begun
      if (this.#isLost) this.#probeIn(Math.max(0, PROBE_INTERVAL - took))
      return
    }
    if (!this.#isLost) return
    this.#isLost = false
    this.#backAt = performance.now()
    this.#options.onBack()
  }
}
