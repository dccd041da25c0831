import { ChunkBatch, type ChunkLeg } from './chunk-batch.ts'

/** Whoever works on chunks. */
export interface ChunkTaker {
  /** The places of the first and the last chunk that wait for it; set by the queue, `NOWHERE` at first. */
  first: number
  last: number
  /** Chunks that it let wait, which are the first of its next batch; set by the queue, `NOTHING_HELD` at first. */
  held: readonly HeldChunk[]
  /** Works on a batch, which is only valid during the call, and gives how many of the last chunks are to wait if they can. */
  take(batch: ChunkBatch, canWait: boolean): number
}

/** A chunk that waits for those that follow it. */
export interface HeldChunk {
  readonly leg: ChunkLeg
  readonly at: number
  readonly piece: string | Uint8Array
}

/** What is held by those that hold nothing. */
export const NOTHING_HELD: readonly HeldChunk[] = []

/** The place of no chunk. */
export const NOWHERE = -1

/** More than these do not wait. */
const MOST_CHUNKS = 4096
const MOST_LENGTH = 1024 * 1024

/**
 * Holds chunks for a moment, so that the traffic goes on at once and the work on them is done for many together.
 * Done one by one between two events of a stream, when nothing of it is in the processor's caches, it costs several
 * times as much. For the same reason all exchanges wait in one list, and are worked on in one batch.
 */
export class ChunkQueue {
  readonly #milliseconds: number
  readonly #onDrained: () => void
  /** Of what came, in its order: whether it is an upstream's, when it came, and where the next of its exchange is. */
  readonly #isUpstream = new Uint8Array(MOST_CHUNKS)
  readonly #times = new Float64Array(MOST_CHUNKS)
  readonly #next = new Int32Array(MOST_CHUNKS)
  /** A new list each time: to put something young into something old costs more than the rest of it. */
  #pieces: (string | Uint8Array)[] = []
  #batch = new ChunkBatch()
  /** Those for whom chunks wait. */
  #takers: ChunkTaker[] = []
  #count = 0
  #length = 0
  #timer: NodeJS.Timeout | undefined

  /** With 0 milliseconds nothing waits. Tells when everything that waited long enough is worked on. */
  constructor(milliseconds: number, onDrained: () => void) {
    this.#milliseconds = milliseconds
    this.#onDrained = onDrained
  }

  /** A chunk came, at a time in microseconds since the epoch. Nobody changes its bytes any more. */
  add(taker: ChunkTaker, leg: ChunkLeg, at: number, piece: string | Uint8Array): void {
    const place = this.#count
    this.#isUpstream[place] = leg === 'u>' ? 1 : 0
    this.#times[place] = at
    this.#pieces[place] = piece
    this.#next[place] = NOWHERE
    this.#count = place + 1
    this.#length += piece.length
    if (taker.first === NOWHERE) {
      taker.first = place
      this.#takers.push(taker)
    } else this.#next[taker.last] = place
    taker.last = place
    if (this.#timer === undefined || this.#count === MOST_CHUNKS || this.#length > MOST_LENGTH) this.#wait()
  }

  /** Works on everything that waits, one exchange after the other, each in the order in which it came. */
  drain(canWait = false): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const takers = this.#takers
    this.#takers = []
    for (const taker of takers) this.drainFor(taker, canWait)
    this.#pieces = []
    this.#count = 0
    this.#length = 0
  }

  /** Works on what waits for one of them: something else happened there, and others need not hurry for it. */
  drainFor(taker: ChunkTaker, canWait = false): void {
    const { held, first } = taker
    if (first === NOWHERE && (canWait || held.length === 0)) return
    const batch = this.#batch
    for (const { leg, at, piece } of held) batch.add(leg, at, piece)
    for (let place = first; place !== NOWHERE; place = this.#next[place] ?? NOWHERE) {
      batch.add(this.#legAt(place), this.#times[place] ?? 0, this.#pieces[place] ?? '')
    }
    // It may stay in the list, where the next round finds nothing to do for it.
    taker.first = NOWHERE
    const waiting = taker.take(batch, canWait)
    taker.held = waiting === 0 ? NOTHING_HELD : this.#behind(batch.count - waiting, held, first)
    if (batch.isSmall) batch.clear()
    else this.#batch = new ChunkBatch()
  }

  /** The chunks behind so many of those that were held and of those from a place on. They are kept as they came. */
  #behind(count: number, held: readonly HeldChunk[], first: number): readonly HeldChunk[] {
    const waiting = held.slice(count)
    let left = Math.max(0, count - held.length)
    for (let place = first; place !== NOWHERE; place = this.#next[place] ?? NOWHERE) {
      if (left > 0) left -= 1
      else {
        waiting.push({
          leg: this.#legAt(place),
          at: this.#times[place] ?? 0,
          piece: this.#pieces[place] ?? '',
        })
      }
    }
    return waiting
  }

  #legAt(place: number): ChunkLeg {
    return this.#isUpstream[place] === 1 ? 'u>' : '>c'
  }

  /** Lets what is there wait for its time, unless there is none or too much of it. */
  #wait(): void {
    const isFull = this.#count === MOST_CHUNKS || this.#length > MOST_LENGTH
    if (this.#milliseconds === 0 || isFull) this.drain(true)
    // The timer keeps no process alive: whoever ends one closes its tapes.
    else this.#timer ??= setTimeout(this.#whenDue, this.#milliseconds).unref()
  }

  readonly #whenDue = (): void => {
    this.drain(true)
    this.#onDrained()
  }
}
