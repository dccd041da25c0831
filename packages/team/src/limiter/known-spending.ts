import { type Account, eachPeriod, plus } from '../account/account.ts'
import type { Used } from '../store/store.ts'

type Spent = Account['spent']

interface Seen {
  readonly spent: Spent
  /** How often the store has said it. */
  readonly times: number
}

/**
 * What accounts have spent, as far as this replica has seen it: never more than is true, so that a store that comes back
 * empty can take it over.
 */
export class KnownSpending {
  readonly #seen = new Map<string, Seen>()

  of(account: string): Spent | undefined {
    return this.#seen.get(account)?.spent
  }

  /** The store has said what is spent. */
  saw(account: string, spent: Spent): void {
    this.#seen.set(account, { spent, times: (this.#seen.get(account)?.times ?? 0) + 1 })
  }

  /**
   * Something is on its way to the store; gives what to call when it is booked. What the store has said meanwhile may
   * include it already, so that it is not added to that.
   */
  booking(account: string, used: Used): () => void {
    const before = this.#seen.get(account)?.times
    return () => {
      const seen = this.#seen.get(account)
      if (seen === undefined || seen.times !== before) return
      const spent = eachPeriod((period) => plus(seen.spent[period], used))
      this.#seen.set(account, { ...seen, spent })
    }
  }
}
