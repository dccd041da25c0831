import { TextPieces } from './text-pieces.ts'

/** Of longer texts only their beginning is of interest. */
const MAX_VISIBLE = 8

/**
 * A text that is held back while it comes in pieces. What it looks like is known at any time without looking at all
 * of it again: a look at the whole for each piece would cost quadratic time.
 */
export class HeldText {
  readonly #pieces = new TextPieces()
  /** The beginning of the text without the white space around it. */
  #visible = ''
  /** White space came behind what is visible. */
  #hasGap = false

  push(piece: string): void {
    this.#pieces.push(piece)
    if (this.#visible.length >= MAX_VISIBLE) return
    const words = piece.trimEnd()
    const isLast = words.length < piece.length
    if (words !== '') {
      // White space of any kind and length is a gap: what follows it makes the text another one.
      const gap = this.#hasGap ? ' ' : ''
      const visible = this.#visible === '' ? words.trimStart() : this.#visible + gap + words
      this.#visible = visible.slice(0, MAX_VISIBLE)
      this.#hasGap = isLast
    } else if (this.#visible !== '') {
      this.#hasGap ||= isLast
    }
  }

  get length(): number {
    return this.#pieces.length
  }

  /** Whether the text is this short word, with nothing but white space around it. */
  is(word: string): boolean {
    return this.#visible === word
  }

  /** Whether the text begins with this character, after white space. */
  beginsWith(character: string): boolean {
    return this.#visible.startsWith(character)
  }

  /** All of it; it is still held afterwards. */
  get text(): string {
    return this.#pieces.text
  }

  /** All of it, which is not held any longer. */
  take(): string {
    this.#visible = ''
    this.#hasGap = false
    return this.#pieces.take()
  }
}
