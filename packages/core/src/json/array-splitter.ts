import { HubError } from '../hub/error.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { TextPieces } from '../stream/text-pieces.ts'

const SPECIAL = /["\\[\]{},]/g

/**
 * Splits the text of a JSON array into the texts of its elements, each as soon as it is complete. It only follows
 * brackets and strings: whether an element is JSON shows when it is parsed.
 */
export class ArraySplitter {
  readonly #onElement: (json: string) => void
  #depth = 0
  #isInString = false
  #isEscaped = false
  readonly #pieces = new TextPieces()
  /** The bracket that ends the array has come. */
  isClosed = false

  constructor(onElement: (json: string) => void) {
    this.#onElement = onElement
  }

  push(text: string): void {
    let start = 0
    let at = 0
    while (at < text.length && !this.isClosed) {
      if (this.#isEscaped) {
        this.#isEscaped = false
        at += 1
        continue
      }
      SPECIAL.lastIndex = at
      const found = SPECIAL.exec(text)
      if (found === null) break
      at = found.index + 1
      if (!this.#step(found[0])) continue
      this.#hold(text.slice(start, found.index))
      this.#finish()
      start = at
    }
    if (!this.isClosed) this.#hold(text.slice(start))
  }

  /** Takes one special character; whether it is between two elements, or around all of them. */
  #step(character: string): boolean {
    if (this.#isInString) {
      if (character === '\\') this.#isEscaped = true
      if (character === '"') this.#isInString = false
      return false
    }
    switch (character) {
      case '"':
        this.#isInString = true
        return false
      case '[':
      case '{':
        this.#depth += 1
        return this.#depth === 1
      case ']':
      case '}':
        this.#depth -= 1
        this.isClosed = this.#depth === 0 && character === ']'
        return this.isClosed
      default:
        return this.#depth === 1
    }
  }

  #hold(piece: string): void {
    this.#pieces.push(piece)
    if (this.#pieces.length <= MAX_EVENT_LENGTH) return
    this.#pieces.take()
    const words = `upstream: an element is longer than ${MAX_EVENT_LENGTH} characters`
    throw new HubError('api_error', words, { status: 502 })
  }

  #finish(): void {
    const element = this.#pieces.take().trim()
    if (element !== '') this.#onElement(element)
  }
}
