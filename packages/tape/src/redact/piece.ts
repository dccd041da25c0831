/** A piece of a stream, one character per byte, and what is replaced in it. */
export class Piece {
  /** How many channels still wait to learn whether a secret begins in it; it must not be written before. */
  holders = 0
  readonly #text: string
  #marks: { readonly at: number; readonly mark: string }[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Puts a mark over bytes of the piece. */
  cover(at: number, mark: string): void {
    this.#marks ??= []
    this.#marks.push({ at, mark })
  }

  get isCovered(): boolean {
    return this.#marks !== undefined
  }

  /** The piece with its marks, of the same length. */
  get text(): string {
    if (this.#marks === undefined) return this.#text
    let text = this.#text
    for (const { at, mark } of this.#marks) text = text.slice(0, at) + mark + text.slice(at + mark.length)
    return text
  }
}
