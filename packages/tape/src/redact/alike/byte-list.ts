import { Buffer, isUtf8 } from 'node:buffer'

const INITIAL_LENGTH = 4096

/** Bytes that are put behind one another, in memory that is used again. */
export class ByteList {
  length = 0
  #bytes = Buffer.allocUnsafeSlow(INITIAL_LENGTH)

  /** Whether they are UTF-8 by themselves. */
  get isUtf8(): boolean {
    return isUtf8(this.#bytes.subarray(0, this.length))
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    if (this.length + to - from > this.#bytes.length) this.#grow(to - from)
    const target = this.#bytes
    let { length } = this
    // There are a few at a time: a copy by the engine costs more than it saves.
    for (let at = from; at < to; at += 1) {
      target[length] = bytes[at] ?? 0
      length += 1
    }
    this.length = length
  }

  /** As a string of one character per byte. */
  text(): string {
    return this.#bytes.toString('latin1', 0, this.length)
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length + length)
    larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
  }
}
