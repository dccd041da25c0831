/** What is remembered of a key, and what that costs. */
interface Entry<Value> {
  readonly value: Value
  readonly cost: number
}

/**
 * A bounded cache of what was made of keys that come again and again. It evicts by generations: what was not asked for
 * while the younger generation filled up is forgotten. That is nearly LRU, at the price of one lookup for each hit.
 */
export class Memo<Key, Value> {
  readonly #max: number
  #young = new Map<Key, Entry<Value>>()
  #old = new Map<Key, Entry<Value>>()
  #cost = 0

  /** `max` bounds each of the two generations: the number of entries, or the sum of their costs. */
  constructor(max: number) {
    this.#max = max
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old === undefined) return undefined
    this.#add(key, old)
    return old.value
  }

  set(key: Key, value: Value, cost = 1): void {
    this.#add(key, { value, cost })
  }

  #add(key: Key, entry: Entry<Value>): void {
    if (this.#cost + entry.cost > this.#max) {
      this.#old = this.#young
      this.#young = new Map()
      this.#cost = 0
    }
    this.#young.set(key, entry)
    this.#cost += entry.cost
  }
}
