import { Buffer } from 'node:buffer'
import type { Chunks } from './chunks.ts'
import type { EventFrame } from './event-frame.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTED = 0x20
const FIRST_BEYOND_ASCII = 0x80

const USUAL_LENGTH = 4096

/** A longer chunk is none of many that are alike. */
const LONGEST_EVENT = 65_536

/**
 * Chunks that follow one another, each an event with the same frame, and the texts in those frames one behind the
 * other. It is used again for the next run: nothing of it outlives the work on a batch.
 */
export class EventRun {
  /** How many chunks it has. */
  count = 0
  /** Where the text of each ends in the texts; the list may be longer. */
  readonly ends: number[] = []
  #texts = Buffer.allocUnsafeSlow(USUAL_LENGTH)
  #length = 0

  /** The texts, one character per byte. */
  text(): string {
    return this.#texts.toString('latin1', 0, this.#length)
  }

  /** Takes the chunks from one on that have a frame around a text in which JSON escapes nothing but backslashes. */
  find(chunks: Chunks, first: number, frame: EventFrame): void {
    this.clear()
    let start = chunks.startOf(first)
    for (let index = first; index < chunks.count; index += 1) {
      const end = chunks.endOf(index)
      const from = start + frame.before.length
      const to = end - frame.after.length
      if (from > to || end - start > LONGEST_EVENT) return
      if (!frame.before.isAt(chunks.view, start) || !frame.after.isAt(chunks.view, to)) return
      if (!this.#take(chunks.bytes, from, to)) return
      this.ends[this.count] = this.#length
      this.count += 1
      start = end
    }
  }

  clear(): void {
    this.count = 0
    this.#length = 0
  }

  /** Adds a text; false, and nothing is added, if it is not plain, or if its last character belongs to what follows. */
  #take(bytes: Buffer, from: number, to: number): boolean {
    if (this.#length + to - from > this.#texts.length) this.#grow(to - from)
    const texts = this.#texts
    let length = this.#length
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte < FIRST_PRINTED || byte === QUOTE || byte >= FIRST_BEYOND_ASCII) return false
      texts[length] = byte
      length += 1
    }
    if (to > from && bytes[to - 1] === BACKSLASH) return false
    this.#length = length
    return true
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#texts.length + length)
    larger.set(this.#texts.subarray(0, this.#length))
    this.#texts = larger
  }
}
