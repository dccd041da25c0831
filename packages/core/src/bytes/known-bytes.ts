const WORD = 4
const encoder = new TextEncoder()

/** Bytes that are looked for again and again: they are compared four at a time. */
export class KnownBytes {
  readonly length: number
  /** All the bytes, and the last four once more: those that are left over are compared with some before them. */
  readonly #words: Uint32Array
  readonly #last: number

  /** Takes a text of at least four bytes. */
  constructor(text: string) {
    const bytes = encoder.encode(text)
    const view = viewOf(bytes)
    this.length = bytes.length
    this.#words = new Uint32Array(Math.floor(bytes.length / WORD))
    for (let index = 0; index < this.#words.length; index += 1) {
      this.#words[index] = view.getUint32(index * WORD, true)
    }
    this.#last = view.getUint32(bytes.length - WORD, true)
  }

  /** Whether these bytes stand at a place, with nothing missing. */
  isAt(view: DataView, place: number): boolean {
    const end = place + this.length
    if (end > view.byteLength || view.getUint32(end - WORD, true) !== this.#last) return false
    const words = this.#words
    for (let index = 0, at = place; index < words.length; index += 1, at += WORD) {
      if (view.getUint32(at, true) !== words[index]) return false
    }
    return true
  }
}

/** A view of exactly these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
