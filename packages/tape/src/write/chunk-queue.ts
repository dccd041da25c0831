import { ChunkBatch, type ChunkLeg } from '../redact/alike/chunk-batch.ts'
import { EventRun } from '../redact/alike/event-run.ts'

/**
 * Takes the chunks of one exchange, which are only valid during the call, and returns how many it took. If they can
 * wait it may leave the last ones: they come again as the first of its next batch.
 */
export type TakeChunks = (batch: ChunkBatch, canWait: boolean) => number

/** The queued chunks of one exchange, which the queue alone changes. */
export class QueuedChunks {
  readonly take: TakeChunks
  /** Those that were not taken; undefined if there are none. */
  batch: ChunkBatch | undefined
  /** How many of them have been looked at before. */
  held = 0
  /** Whether the queue will come to them. */
  isQueued = false

  constructor(take: TakeChunks) {
    this.take = take
  }
}

/** More than these are worked on at once. */
const MAX_CHUNKS = 4096
const MAX_LENGTH = 1024 * 1024

/** This many batches that are empty are kept for exchanges that need one. */
const MAX_FREE = 16

/**
 * Queues chunks for a moment, so that the traffic goes on at once and the work on them is done for many together. Done
 * one by one between two events of a stream, when neither code nor data are in the processor's caches, it costs several
 * times as much. For the same reason all exchanges share one queue. Only the bytes are copied at once, one chunk behind
 * the other: they were just read or written, and to look for each of them later would cost more than all other work on it.
 */
export class ChunkQueue {
  readonly #milliseconds: number
  readonly #onDrained: () => void
  /** The exchanges that have chunks here. */
  #queued: QueuedChunks[] = []
  readonly #free: ChunkBatch[] = []
  /** Batches are worked on one after the other, so these are shared by all. */
  readonly #runs = { upstream: new EventRun(), client: new EventRun() }
  #count = 0
  #length = 0
  #timer: NodeJS.Timeout | undefined

  /** With 0 milliseconds nothing is queued. `onDrained` is called when all that was due has been worked on. */
  constructor(milliseconds: number, onDrained: () => void) {
    this.#milliseconds = milliseconds
    this.#onDrained = onDrained
  }

  /** A chunk came, at a time in microseconds since the epoch. */
  add(chunks: QueuedChunks, leg: ChunkLeg, at: number, piece: string | Uint8Array): void {
    const batch = (chunks.batch ??= this.#free.pop() ?? new ChunkBatch(this.#runs))
    batch.add(leg, at, piece)
    if (!chunks.isQueued) {
      chunks.isQueued = true
      this.#queued.push(chunks)
    }
    this.#count += 1
    this.#length += piece.length
    const isFull = this.#count === MAX_CHUNKS || this.#length > MAX_LENGTH
    if (this.#milliseconds === 0 || isFull) this.drain(true)
    // The timer keeps no process alive: a recorder closes its tapes when the process exits.
    else this.#timer ??= setTimeout(this.#whenDue, this.#milliseconds).unref()
  }

  /** Works on all chunks, one exchange after the other, each in the order in which its chunks came. */
  drain(canWait = false): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const queued = this.#queued
    this.#queued = []
    for (const chunks of queued) {
      chunks.isQueued = false
      this.drainFor(chunks, canWait)
    }
    this.#count = 0
    this.#length = 0
  }

  /** Works on the chunks of one exchange, in which something else happened; the others stay queued. */
  drainFor(chunks: QueuedChunks, canWait = false): void {
    const { batch, held } = chunks
    if (batch === undefined || (canWait && batch.count === held)) return
    batch.drop(chunks.take(batch, canWait))
    chunks.held = batch.count
    if (batch.count > 0) return
    chunks.batch = undefined
    if (batch.isSmall && this.#free.length < MAX_FREE) this.#free.push(batch)
  }

  readonly #whenDue = (): void => {
    this.drain(true)
    this.#onDrained()
  }
}
