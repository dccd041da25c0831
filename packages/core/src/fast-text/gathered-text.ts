import type { TextRun } from './text-run.ts'
import { unescaped } from './unescaped.ts'

/** This many bytes are gathered before they become a string. */
const ROOM = 4096

const NOTHING = new Uint8Array(0)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Gathers a text whose pieces come as runs. They stay bytes for a while: a string for each would cost most of it. */
export class GatheredText {
  #text = ''
  /** Runs behind the text, still escaped. */
  #bytes = NOTHING
  #length = 0

  push(piece: string): void {
    this.#settle()
    this.#text += piece
  }

  pushRun(run: TextRun): void {
    const size = run.sizeWith(0)
    if (this.#length + size > this.#bytes.length) this.#makeRoom(size)
    this.#length = run.copyTo(this.#bytes, this.#length, NOTHING)
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#text === ''
  }

  /** All of it; it is still there afterwards. */
  get text(): string {
    this.#settle()
    return this.#text
  }

  #makeRoom(size: number): void {
    this.#settle()
    if (size > this.#bytes.length) this.#bytes = new Uint8Array(Math.max(size, ROOM))
  }

  #settle(): void {
    if (this.#length === 0) return
    this.#text += unescaped(decoder.decode(this.#bytes.subarray(0, this.#length)))
    this.#length = 0
  }
}
