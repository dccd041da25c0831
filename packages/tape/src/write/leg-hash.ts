import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** So many bytes of small chunks are hashed together: each call costs as much as hashing a thousand of them. */
const HASHED_TOGETHER = 4096

/** The hash of the bytes of one leg. Small pieces are copied, not kept: they would live until they are hashed. */
export class LegHash {
  readonly #hash = createHash('sha256')
  #waiting: Buffer | undefined
  #length = 0

  update(bytes: Uint8Array): void {
    this.#catchUp()
    this.#hash.update(bytes)
  }

  /** The leg goes on with a string of one character per byte. */
  updateLatin1(bytes: string): void {
    if (bytes.length > HASHED_TOGETHER) return this.update(Buffer.from(bytes, 'latin1'))
    if (this.#length + bytes.length > HASHED_TOGETHER) this.#catchUp()
    this.#waiting ??= Buffer.allocUnsafeSlow(HASHED_TOGETHER)
    this.#length += this.#waiting.write(bytes, this.#length, 'latin1')
  }

  /** Hexadecimal, at the end. */
  digest(): string {
    this.#catchUp()
    return this.#hash.digest('hex')
  }

  #catchUp(): void {
    if (this.#waiting !== undefined && this.#length > 0)
      this.#hash.update(this.#waiting.subarray(0, this.#length))
    this.#length = 0
  }
}
