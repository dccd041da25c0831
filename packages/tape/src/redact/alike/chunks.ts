import { Buffer } from 'node:buffer'
import { viewOf } from '@hydra/core'
import { EventRun } from './event-run.ts'

/** Enough for a moment of most streams, of which each has its own. */
const INITIAL_LENGTH = 4 * 1024

/** Larger memory is not kept for others. */
const MAX_KEPT = 128 * 1024

/** What one text in UTF-16 units needs at most in UTF-8. */
const MAX_BYTES_OF_UNIT = 3

/**
 * Chunks of one leg that are worked on. Their bytes are copied behind one another, so that events that are alike can
 * be looked at together.
 */
export class Chunks {
  /** How many there are. */
  count = 0
  /** Their bytes, and others behind them. */
  bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_LENGTH)
  view: DataView = viewOf(this.bytes)
  /** The events among them that were last found to be alike. */
  readonly run: EventRun
  /** Where each ends; the list may be longer. */
  readonly #ends: number[] = []
  #length = 0

  constructor(run: EventRun = new EventRun()) {
    this.run = run
  }

  /** Whether they have no more room than others may need as well. */
  get isSmall(): boolean {
    return this.bytes.length <= MAX_KEPT
  }

  add(piece: string | Uint8Array): void {
    const start = this.#length
    if (typeof piece === 'string') {
      this.#makeRoom(piece.length * MAX_BYTES_OF_UNIT)
      this.#length += this.bytes.write(piece, start)
    } else {
      this.#makeRoom(piece.length)
      this.bytes.set(piece, start)
      this.#length += piece.length
    }
    this.#ends[this.count] = this.#length
    this.count += 1
  }

  /** Where a chunk begins in the bytes. */
  startOf(index: number): number {
    return index === 0 ? 0 : this.endOf(index - 1)
  }

  /** Where a chunk ends in the bytes. */
  endOf(index: number): number {
    return this.#ends[index] ?? this.#length
  }

  /** A chunk as a string of one character per byte. */
  textOf(index: number): string {
    return this.bytes.toString('latin1', this.startOf(index), this.endOf(index))
  }

  /** Drops the first chunks. */
  drop(count: number): void {
    const start = this.startOf(count)
    if (start < this.#length) this.bytes.copyWithin(0, start, this.#length)
    for (let index = count; index < this.count; index += 1)
      this.#ends[index - count] = this.endOf(index) - start
    this.#length -= start
    this.count -= count
    this.run.reset()
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length))
    larger.set(this.bytes.subarray(0, this.#length))
    this.bytes = larger
    this.view = viewOf(larger)
  }
}
