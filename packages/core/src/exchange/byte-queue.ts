const NOTHING = new Uint8Array(0)

/** This many pieces are looked at together. */
const MANY_PIECES = 1024
/** Of shorter ones each takes more room to keep than it has bytes: a peer may send every byte by itself. */
const MIN_PIECE_BYTES = 1024

/** Bytes that wait, in the pieces they came in; the room they take is in proportion to them, however small the pieces. */
export class ByteQueue {
  #settled: Uint8Array[] = []
  #pieces: Uint8Array[] = []
  /** How long the pieces are that have not been settled. */
  #recent = 0
  length = 0

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#pieces.push(bytes)
    this.#recent += bytes.length
    this.length += bytes.length
    if (this.#pieces.length === MANY_PIECES) this.#settle()
  }

  /** Everything that waits, which does not any more. */
  take(): Uint8Array {
    const pieces = this.#settled.length === 0 ? this.#pieces : [...this.#settled, ...this.#pieces]
    if (pieces.length === 0) return NOTHING
    const { length } = this
    this.#settled = []
    this.#pieces = []
    this.#recent = 0
    this.length = 0
    const [only] = pieces
    return pieces.length === 1 && only !== undefined ? only : concatenated(pieces, length)
  }

  /** Everything that waits, which still does. */
  all(): Uint8Array {
    const bytes = this.take()
    this.push(bytes)
    return bytes
  }

  #settle(): void {
    const isSmall = this.#recent < MANY_PIECES * MIN_PIECE_BYTES
    if (isSmall) this.#settled.push(concatenated(this.#pieces, this.#recent))
    else this.#settled.push(...this.#pieces)
    this.#pieces = []
    this.#recent = 0
  }
}

function concatenated(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
