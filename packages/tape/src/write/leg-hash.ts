import { createHash, type Hash } from 'node:crypto'

/** The hash of the bytes of one leg. */
export class LegHash {
  #hash: Hash | undefined
  /** Bytes in the memory of a batch that are hashed next, from and to. */
  #borrowed: Uint8Array | undefined
  #from = 0
  #to = 0

  /** Whether nothing was hashed. */
  get isEmpty(): boolean {
    return this.#hash === undefined && this.#borrowed === undefined
  }

  /** Begins behind bytes that were hashed elsewhere. */
  beginBehind(hash: Hash): void {
    this.#hash = hash.copy()
  }

  /** The hash of everything so far, which goes on without this leg. */
  copy(): Hash {
    this.settle()
    return this.#begun().copy()
  }

  update(bytes: Uint8Array): void {
    this.settle()
    this.#begun().update(bytes)
  }

  /** The leg goes on with a string of one character per byte. */
  updateLatin1(bytes: string): void {
    this.settle()
    this.#begun().update(bytes, 'latin1')
  }

  /** The leg goes on with bytes from and to; they must stay as they are until everything is settled. */
  borrow(bytes: Uint8Array, from: number, to: number): void {
    if (this.#borrowed !== bytes || this.#to !== from) {
      this.settle()
      this.#borrowed = bytes
      this.#from = from
    }
    this.#to = to
  }

  /** Hashes what was borrowed: chunks that lie one behind the other are hashed together. */
  settle(): void {
    if (this.#borrowed === undefined) return
    this.#begun().update(this.#borrowed.subarray(this.#from, this.#to))
    this.#borrowed = undefined
  }

  /** Hexadecimal, at the end; what follows would be another leg. */
  digest(): string {
    this.settle()
    const digest = this.#begun().digest('hex')
    this.#hash = undefined
    return digest
  }

  #begun(): Hash {
    return (this.#hash ??= createHash('sha256'))
  }
}
