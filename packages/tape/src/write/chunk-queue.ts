/** A piece of an answer that was taken down and is not worked on yet. */
export interface TakenChunk {
  readonly exchange: ChunkTaker
  readonly leg: 'u>' | '>c'
  /** Microseconds since the epoch. */
  readonly at: number
  readonly piece: string | Uint8Array
  /** Whether a string is bytes, one character each, rather than text. */
  readonly isBytes: boolean
  /** Whether it is known to be nothing but ASCII. */
  readonly isAscii: boolean
}

/** Whoever works on chunks. */
export interface ChunkTaker {
  take(chunks: readonly TakenChunk[]): void
}

/** More than these do not wait. */
const MOST_CHUNKS = 4096
const MOST_LENGTH = 1024 * 1024

/**
 * Holds chunks for a moment, so that the traffic goes on at once and the work on them is done for many together.
 * Done one by one between two events of a stream, when nothing of it is in the processor's caches, it costs twice as much.
 */
export class ChunkQueue {
  readonly #milliseconds: number
  #chunks: TakenChunk[] = []
  #length = 0
  #timer: NodeJS.Timeout | undefined

  /** With 0 milliseconds nothing waits. */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  add(chunk: TakenChunk): void {
    if (this.#milliseconds === 0) {
      chunk.exchange.take([chunk])
      return
    }
    this.#chunks.push(chunk)
    this.#length += chunk.piece.length
    if (this.#chunks.length > MOST_CHUNKS || this.#length > MOST_LENGTH) this.drain()
    // The timer keeps no process alive: whoever ends one closes its tapes.
    else this.#timer ??= setTimeout(() => this.drain(), this.#milliseconds).unref()
  }

  /** Works on everything that waits, one exchange after the other, each in the order in which it came. */
  drain(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const chunks = this.#chunks
    if (chunks.length === 0) return
    this.#chunks = []
    this.#length = 0
    const lists = Map.groupBy(chunks, ({ exchange }) => exchange)
    for (const [exchange, list] of lists) exchange.take(list)
  }
}
