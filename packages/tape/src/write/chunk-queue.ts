import { ChunkBatch, type ChunkLeg } from './chunk-batch.ts'

/** Whoever works on chunks. */
export interface ChunkTaker {
  /** What waits for it; set by the queue. */
  batch: ChunkBatch | undefined
  /** Works on a batch, which is only valid during the call. */
  take(batch: ChunkBatch): void
}

/** More than these do not wait. */
const MOST_CHUNKS = 4096
const MOST_LENGTH = 1024 * 1024

/** More batches than these are not kept to be used again. */
const MOST_FREE = 256

/**
 * Holds chunks for a moment, so that the traffic goes on at once and the work on them is done for many together.
 * Done one by one between two events of a stream, when nothing of it is in the processor's caches, it costs twice as much.
 */
export class ChunkQueue {
  readonly #milliseconds: number
  readonly #onDrained: () => void
  readonly #free: ChunkBatch[] = []
  #takers: ChunkTaker[] = []
  #count = 0
  #length = 0
  #timer: NodeJS.Timeout | undefined

  /** With 0 milliseconds nothing waits. Tells when everything that waited long enough is worked on. */
  constructor(milliseconds: number, onDrained: () => void) {
    this.#milliseconds = milliseconds
    this.#onDrained = onDrained
  }

  /** A chunk came, at a time in microseconds since the epoch; its bytes are copied. */
  add(taker: ChunkTaker, leg: ChunkLeg, at: number, piece: string | Uint8Array): void {
    const batch = taker.batch ?? this.#begin(taker)
    batch.add(leg, at, piece)
    this.#count += 1
    this.#length += piece.length
    if (this.#milliseconds === 0 || this.#count > MOST_CHUNKS || this.#length > MOST_LENGTH) this.drain()
    // The timer keeps no process alive: whoever ends one closes its tapes.
    else this.#timer ??= setTimeout(this.#whenDue, this.#milliseconds).unref()
  }

  /** Works on everything that waits, one exchange after the other, each in the order in which it came. */
  drain(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const takers = this.#takers
    if (takers.length === 0) return
    this.#takers = []
    this.#count = 0
    this.#length = 0
    for (const taker of takers) this.#work(taker)
  }

  /** Works on what waits for one of them: something else happened there, and others need not hurry for it. */
  drainFor(taker: ChunkTaker): void {
    // It stays in the list, where the next round finds nothing to do for it.
    this.#work(taker)
  }

  readonly #whenDue = (): void => {
    this.drain()
    this.#onDrained()
  }

  #work(taker: ChunkTaker): void {
    const { batch } = taker
    if (batch === undefined) return
    taker.batch = undefined
    taker.take(batch)
    this.#release(batch)
  }

  #begin(taker: ChunkTaker): ChunkBatch {
    const batch = this.#free.pop() ?? new ChunkBatch()
    taker.batch = batch
    this.#takers.push(taker)
    return batch
  }

  #release(batch: ChunkBatch): void {
    if (!batch.isSmall || this.#free.length >= MOST_FREE) return
    batch.clear()
    this.#free.push(batch)
  }
}
