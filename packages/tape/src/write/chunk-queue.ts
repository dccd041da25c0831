import { ChunkBatch, type ChunkLeg } from '../redact/alike/chunk-batch.ts'

/**
 * Takes the chunks of one exchange, which are only valid during the call, and returns how many it took. If they can
 * wait it may leave the last ones: they come again as the first of its next batch.
 */
export type TakeChunks = (batch: ChunkBatch, canWait: boolean) => number

/** A chunk that its taker left for the next batch. */
export interface HeldChunk {
  readonly leg: ChunkLeg
  readonly at: number
  readonly piece: string | Uint8Array
}

const NOTHING_HELD: readonly HeldChunk[] = []

/** The index of no chunk. */
const NONE = -1

/** The queued chunks of one exchange: a linked list within the queue, which alone changes it. */
export class QueuedChunks {
  readonly take: TakeChunks
  /** The indexes of its first and its last chunk in the queue. */
  first: number = NONE
  last: number = NONE
  /** What comes before them. */
  held: readonly HeldChunk[] = NOTHING_HELD

  constructor(take: TakeChunks) {
    this.take = take
  }
}

/** More than these are worked on at once. */
const MAX_CHUNKS = 4096
const MAX_LENGTH = 1024 * 1024

/**
 * Queues chunks for a moment, so that the traffic goes on at once and the work on them is done for many together. Done
 * one by one between two events of a stream, when neither code nor data are in the processor's caches, it costs several
 * times as much. For the same reason all exchanges share one queue.
 */
export class ChunkQueue {
  readonly #milliseconds: number
  readonly #onDrained: () => void
  /** Of each chunk: whether it is an upstream's, when it came, and the index of the next one of its exchange. */
  readonly #isUpstream = new Uint8Array(MAX_CHUNKS)
  readonly #times = new Float64Array(MAX_CHUNKS)
  readonly #next = new Int32Array(MAX_CHUNKS)
  /** A new array each time: to store young objects in an old one costs a write barrier of V8's generational GC. */
  #pieces: (string | Uint8Array)[] = []
  #batch = new ChunkBatch()
  /** The exchanges that have chunks here. */
  #queued: QueuedChunks[] = []
  #count = 0
  #length = 0
  #timer: NodeJS.Timeout | undefined

  /** With 0 milliseconds nothing is queued. `onDrained` is called when all that was due has been worked on. */
  constructor(milliseconds: number, onDrained: () => void) {
    this.#milliseconds = milliseconds
    this.#onDrained = onDrained
  }

  /** A chunk came, at a time in microseconds since the epoch. Its bytes must not change any more. */
  add(chunks: QueuedChunks, leg: ChunkLeg, at: number, piece: string | Uint8Array): void {
    const index = this.#count
    this.#isUpstream[index] = leg === 'u>' ? 1 : 0
    this.#times[index] = at
    this.#pieces[index] = piece
    this.#next[index] = NONE
    this.#count = index + 1
    this.#length += piece.length
    if (chunks.first === NONE) {
      chunks.first = index
      this.#queued.push(chunks)
    } else this.#next[chunks.last] = index
    chunks.last = index
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
    for (const chunks of queued) this.drainFor(chunks, canWait)
    this.#pieces = []
    this.#count = 0
    this.#length = 0
  }

  /** Works on the chunks of one exchange, in which something else happened; the others stay queued. */
  drainFor(chunks: QueuedChunks, canWait = false): void {
    const { held, first } = chunks
    if (first === NONE && (canWait || held.length === 0)) return
    const batch = this.#batch
    for (const { leg, at, piece } of held) batch.add(leg, at, piece)
    for (let index = first; index !== NONE; index = this.#next[index] ?? NONE) {
      batch.add(this.#legAt(index), this.#times[index] ?? 0, this.#pieces[index] ?? '')
    }
    // The exchange may stay in the list, where the next drain finds nothing to do for it.
    chunks.first = NONE
    const taken = chunks.take(batch, canWait)
    chunks.held = taken === batch.count ? NOTHING_HELD : this.#behind(taken, held, first)
    if (batch.isSmall) batch.clear()
    else this.#batch = new ChunkBatch()
  }

  /** The chunks behind the first `count` of those that were held and of those from an index on, as they came. */
  #behind(count: number, held: readonly HeldChunk[], first: number): readonly HeldChunk[] {
    const behind = held.slice(count)
    let left = Math.max(0, count - held.length)
    for (let index = first; index !== NONE; index = this.#next[index] ?? NONE) {
      if (left > 0) left -= 1
      else {
        const [at, piece] = [this.#times[index] ?? 0, this.#pieces[index] ?? '']
        behind.push({ leg: this.#legAt(index), at, piece })
      }
    }
    return behind
  }

  #legAt(index: number): ChunkLeg {
    return this.#isUpstream[index] === 1 ? 'u>' : '>c'
  }

  readonly #whenDue = (): void => {
    this.drain(true)
    this.#onDrained()
  }
}
