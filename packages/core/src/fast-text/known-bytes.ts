const STRIDE = 8
const encoder = new TextEncoder()

/**
 * Bytes that are looked for again and again. They are compared eight at a time, as the numbers that eight bytes can
 * be read as: text has no zero bytes, so no two different pieces of it make equal numbers. A few make none at all,
 * and are never found; callers have a slower way that finds everything. Of other bytes, only eight zeros are taken
 * for something else, which is minus zero.
 */
export class KnownBytes {
  readonly length: number
  readonly #bytes: Uint8Array
  readonly #numbers: Float64Array
  /** The last eight bytes, if there are that many: those that the strides leave over, with some before them. */
  readonly #last: number

  constructor(known: string | Uint8Array) {
    const bytes = typeof known === 'string' ? encoder.encode(known) : known
    const view = viewOf(bytes)
    this.length = bytes.length
    this.#bytes = bytes
    this.#numbers = new Float64Array(Math.floor(bytes.length / STRIDE))
    for (let index = 0; index < this.#numbers.length; index += 1) {
      this.#numbers[index] = view.getFloat64(index * STRIDE, true)
    }
    this.#last = bytes.length < STRIDE ? 0 : view.getFloat64(bytes.length - STRIDE, true)
  }

  /** Whether all of these bytes are at a place, before the end of what counts of a view. */
  isAt(view: DataView, place: number, limit: number = view.byteLength): boolean {
    const end = place + this.length
    if (end > limit) return false
    if (this.length < STRIDE) return this.#isShortAt(view, place)
    if (view.getFloat64(end - STRIDE, true) !== this.#last) return false
    const numbers = this.#numbers
    for (let index = 0, at = place; index < numbers.length; index += 1, at += STRIDE) {
      if (view.getFloat64(at, true) !== numbers[index]) return false
    }
    return true
  }

  #isShortAt(view: DataView, place: number): boolean {
    const bytes = this.#bytes
    for (let index = 0; index < bytes.length; index += 1) {
      if (view.getUint8(place + index) !== bytes[index]) return false
    }
    return true
  }
}

/** A view of exactly these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
