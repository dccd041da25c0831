/** How much of one part of an item is out. */
export interface Part {
  length: number
  annotations: number
}

/** The parts of an item by their index, of which some upstreams have another idea than the item at its end. */
export class Parts {
  readonly #parts = new Map<number, Part>()

  /** The part that an event is about. */
  at(index: unknown): Part {
    const key = typeof index === 'number' ? index : 0
    const part = this.#parts.get(key) ?? { length: 0, annotations: 0 }
    this.#parts.set(key, part)
    return part
  }

  /** The part that is one of so many in the whole item; a part that the item does not know is the one it misses. */
  final(index: number, count: number): Part {
    if (this.#parts.has(index)) return this.at(index)
    const stray = [...this.#parts.keys()].find((key) => key < 0 || key >= count)
    const part = this.at(stray ?? index)
    if (stray !== undefined) this.#parts.delete(stray)
    this.#parts.set(index, part)
    return part
  }
}
