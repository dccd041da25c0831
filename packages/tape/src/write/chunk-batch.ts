import { Buffer, isAscii } from 'node:buffer'

/** A leg that answers come on in chunks. */
export type ChunkLeg = 'u>' | '>c'

/** Enough for ten milliseconds of most streams. */
const USUAL_LENGTH = 4096

/** What one text in UTF-16 units needs at most in UTF-8. */
const MOST_BYTES_OF_UNIT = 3

/**
 * Chunks of one exchange that were taken down and are not worked on yet. Their bytes are copied behind one another:
 * no object or string is made of a chunk while the traffic waits, and none lives until the work is done.
 */
export class ChunkBatch {
  /** How many there are; the lists may be longer. */
  count = 0
  readonly legs: ChunkLeg[] = []
  /** When each came, in microseconds since the epoch. */
  readonly times: number[] = []
  readonly #ends: number[] = []
  #bytes = Buffer.allocUnsafeSlow(USUAL_LENGTH)
  #length = 0

  /** Whether it is as large as a new one. */
  get isSmall(): boolean {
    return this.#bytes.length === USUAL_LENGTH
  }

  add(leg: ChunkLeg, at: number, piece: string | Uint8Array): void {
    const start = this.#length
    if (typeof piece === 'string') {
      this.#makeRoom(piece.length * MOST_BYTES_OF_UNIT)
      this.#length += this.#bytes.write(piece, start)
    } else {
      this.#makeRoom(piece.length)
      this.#bytes.set(piece, start)
      this.#length += piece.length
    }
    this.legs[this.count] = leg
    this.times[this.count] = at
    this.#ends[this.count] = this.#length
    this.count += 1
  }

  /** Whether all of it is ASCII. */
  isAscii(): boolean {
    return isAscii(this.#bytes.subarray(0, this.#length))
  }

  /** The chunks of each leg as bytes, one character each. */
  texts(): Readonly<Record<ChunkLeg, readonly string[]>> {
    // One string and its slices cost less than a string for each.
    const all = this.#bytes.toString('latin1', 0, this.#length)
    const upstream: string[] = []
    const client: string[] = []
    let start = 0
    for (let index = 0; index < this.count; index += 1) {
      const end = this.#ends[index]
      const list = this.legs[index] === 'u>' ? upstream : client
      list.push(all.slice(start, end))
      start = end ?? start
    }
    return { 'u>': upstream, '>c': client }
  }

  clear(): void {
    this.count = 0
    this.#length = 0
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
