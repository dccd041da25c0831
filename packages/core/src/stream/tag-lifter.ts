import { TextPieces } from './text-pieces.ts'

/** Hears text that a tag lifter has sorted. */
interface LiftedListener {
  text(piece: string): void
  thinking(piece: string): void
}

/** How much white space before an answer is held back for a tag that may follow. */
const MAX_SPACE = 16 * 1024

/**
 * Takes thinking out of text where a model writes it between tags at the very beginning of its answer.
 * Tags may arrive in pieces: what could still become one is held back.
 */
export class TagLifter {
  readonly #listener: LiftedListener
  readonly #opening: string
  readonly #closing: string
  #place: 'before' | 'inside' | 'behind' = 'before'
  #held = ''
  /** White space at the very beginning, which is text unless a tag follows. */
  readonly #space = new TextPieces()

  constructor(tag: string, listener: LiftedListener) {
    this.#listener = listener
    this.#opening = `<${tag}>`
    this.#closing = `</${tag}>`
  }

  push(piece: string): void {
    if (this.#place === 'behind') {
      this.#listener.text(piece)
      return
    }
    const text = this.#held === '' ? piece : this.#held + piece
    this.#held = ''
    if (this.#place === 'before') this.#begin(text)
    else this.#continue(text)
  }

  /** Nothing more comes: what was held back is what it looks like. */
  flush(): void {
    const held = this.#space.take() + this.#held
    this.#held = ''
    if (held === '') return
    if (this.#place === 'inside') this.#listener.thinking(held)
    else this.#listener.text(held)
  }

  #begin(text: string): void {
    const visible = text.trimStart()
    this.#space.push(text.slice(0, text.length - visible.length))
    const mayBeTag = visible.length < this.#opening.length && this.#opening.startsWith(visible)
    if (mayBeTag && this.#space.length <= MAX_SPACE) {
      this.#held = visible
      return
    }
    if (visible.startsWith(this.#opening)) {
      this.#place = 'inside'
      this.#space.take()
      this.#continue(visible.slice(this.#opening.length))
      return
    }
    this.#place = 'behind'
    this.#listener.text(this.#space.take() + visible)
  }

  #continue(text: string): void {
    const end = text.indexOf(this.#closing)
    if (end === -1) {
      const certain = text.length - overlap(text, this.#closing)
      this.#held = text.slice(certain)
      if (certain > 0) this.#listener.thinking(text.slice(0, certain))
      return
    }
    this.#place = 'behind'
    if (end > 0) this.#listener.thinking(text.slice(0, end))
    const rest = text.slice(end + this.#closing.length)
    if (rest !== '') this.#listener.text(rest)
  }
}

/** How many characters at the end of a text are the beginning of a tag. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}
