import type { EventFrame } from './event-frame.ts'

/** A piece of a stream, one character per byte, and what is replaced in it. */
export class Piece {
  /** How many channels still wait to learn whether a secret begins in it; it must not be written before. */
  holders = 0
  readonly #text: string
  readonly #frame: EventFrame | undefined
  readonly #part: string
  #marks: { readonly at: number; readonly mark: string }[] | undefined

  /** An event is given with what stands around its text, and its text. */
  constructor(text: string, frame?: EventFrame, part = '') {
    this.#text = text
    this.#frame = frame
    this.#part = part
  }

  /** Puts a mark over bytes of the piece. */
  cover(at: number, mark: string): void {
    this.#marks ??= []
    this.#marks.push({ at, mark })
  }

  get isCovered(): boolean {
    return this.#marks !== undefined
  }

  /** The text of an event that was given with it. */
  get part(): string {
    return this.#part
  }

  /** The piece with its marks, of the same length. */
  get text(): string {
    if (this.#marks === undefined) return this.#text
    let text = this.#text
    for (const { at, mark } of this.#marks) text = text.slice(0, at) + mark + text.slice(at + mark.length)
    return text
  }

  /** What stands around the text of an event; undefined if the piece is none, or has marks. */
  get frame(): EventFrame | undefined {
    return this.#marks === undefined ? this.#frame : undefined
  }
}
