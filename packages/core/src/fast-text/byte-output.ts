import type { TextRun } from './text-run.ts'

/** Room for an event that may follow a run in the same read. */
const SPARE = 512
/** The most bytes that a character of a string can take. */
const BYTES_PER_CHARACTER = 3

const NOTHING = new Uint8Array(0)
const encoder = new TextEncoder()

/** Gathers what is sent to a client as bytes. */
export class ByteOutput {
  #bytes = NOTHING
  #length = 0

  text(text: string): void {
    if (text === '') return
    this.#reserve(text.length * BYTES_PER_CHARACTER)
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written
  }

  /** Writes a text, and behind it a run with something before the first, between any two, and behind the last. */
  run(before: string, run: TextRun, { prefix, between, suffix }: RunFrame): void {
    const size = prefix.length + run.sizeWith(between.length) + suffix.length
    this.#reserve(before.length * BYTES_PER_CHARACTER + size)
    this.text(before)
    this.#bytes.set(prefix, this.#length)
    const end = run.copyTo(this.#bytes, this.#length + prefix.length, between)
    this.#bytes.set(suffix, end)
    this.#length = end + suffix.length
  }

  /** Everything that was written. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(needed + SPARE)
    larger.set(this.take())
    this.#bytes = larger
  }
}

/** What surrounds the texts of a run. */
export interface RunFrame {
  readonly prefix: Uint8Array
  readonly between: Uint8Array
  readonly suffix: Uint8Array
}
