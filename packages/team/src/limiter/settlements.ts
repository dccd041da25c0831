import type { Settlement, Store } from '../store/store.ts'

/** A store that is away for long must not fill the memory. */
const MAX_WAITING = 10_000

/** What is not told is forgotten by its age. */
const MAX_CONFIRMED = 500

/** Who is told when the store does not take a settlement. */
export interface SettlementsListener {
  readonly onFailure: (thrown: unknown) => void
  readonly onDropped: () => void
}

/** Settlements that the store has not taken yet; a settlement counts once, so it may be sent again. */
export class Settlements {
  readonly #store: Store
  readonly #listener: SettlementsListener
  readonly #waiting = new Map<string, Settlement>()
  /** By account: those that the store took at the first try, and that nobody will send again. */
  readonly #confirmed = new Map<string, string[]>()
  #isFlushing = false
  /** How many were given up because too many waited. */
  dropped = 0

  constructor(store: Store, listener: SettlementsListener) {
    this.#store = store
    this.#listener = listener
  }

  get size(): number {
    return this.#waiting.size
  }

  /**
   * Sends a settlement, now or when the store is back. It is told when the store has booked it, but not of one that had
   * to be sent again: nobody knows when that was booked.
   */
  add(settlement: Settlement, onBooked: () => void = () => {}): void {
    this.#waiting.set(settlement.id, settlement)
    void this.#first(settlement, onBooked)
    if (this.#waiting.size <= MAX_WAITING) return
    const [oldest] = this.#waiting.keys()
    if (oldest !== undefined) this.#waiting.delete(oldest)
    // Said once: the figures tell how many.
    if (this.dropped === 0) this.#listener.onDropped()
    this.dropped += 1
  }

  /** Sends all that wait. */
  async flush(): Promise<void> {
    if (this.#isFlushing) return
    this.#isFlushing = true
    for (const settlement of this.#waiting.values()) {
      // oxlint-disable-next-line no-await-in-loop -- a store that has just come back is not flooded
      if (!(await this.#send(settlement))) break
    }
    this.#isFlushing = false
  }

  /**
   * What was sent once and answered cannot come a second time, so the store may forget that it was settled. Of what was
   * sent again an earlier copy may still be on its way.
   */
  async #first(settlement: Settlement, onBooked: () => void): Promise<void> {
    const { account, id } = settlement
    const confirmed = this.#confirmed.get(account)
    this.#confirmed.delete(account)
    if (!(await this.#send(confirmed === undefined ? settlement : { ...settlement, confirmed }))) return
    onBooked()
    const ids = this.#confirmed.get(account)
    if (ids === undefined) this.#confirmed.set(account, [id])
    else if (ids.length < MAX_CONFIRMED) ids.push(id)
  }

  async #send(settlement: Settlement): Promise<boolean> {
    try {
      await this.#store.settle(settlement)
      this.#waiting.delete(settlement.id)
      return true
    } catch (thrown) {
      this.#listener.onFailure(thrown)
      return false
    }
  }
}
