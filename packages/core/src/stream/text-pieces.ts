/** This many pieces are joined: one long text takes far less room than many short ones. */
const MANY_PIECES = 1024

/** Gathers a text that comes in pieces. A piece costs in proportion to itself, however long the text already is. */
export class TextPieces {
  #joined: string[] = []
  #pieces: string[] = []
  length = 0

  push(piece: string): void {
    this.length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length < MANY_PIECES) return
    this.#joined.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** The text; it is still there afterwards. */
  get text(): string {
    if (this.#joined.length === 0 && this.#pieces.length <= 1) return this.#pieces[0] ?? ''
    const text = this.#joined.join('') + this.#pieces.join('')
    this.#joined = []
    this.#pieces = [text]
    return text
  }

  /** The text, which is not kept any longer. */
  take(): string {
    const { text } = this
    this.#pieces = []
    this.length = 0
    return text
  }
}
