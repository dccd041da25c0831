import type { BodyParts } from './body-parts.ts'
import { closingQuote } from './closing-quote.ts'

/** The only text of a line, and what surrounds it. */
interface Template {
  readonly before: string
  /** From the quote behind the text to the line feed. */
  readonly after: string
  readonly path: string
  readonly ids: string
}

/**
 * Template match: most lines of a stream are like the one before but for one text, and what was found out about that
 * one need not be found out again. It listens to what is found in a line and passes it on.
 */
export class LineTemplate implements BodyParts {
  readonly #parts: BodyParts
  #template: Template | undefined
  /** What was found in the line that is being scanned. */
  #texts = 0
  #path = ''
  #ids = ''
  #from = 0
  #to = 0

  constructor(parts: BodyParts) {
    this.#parts = parts
  }

  openText(path: string, ids: string): void {
    this.#texts += 1
    this.#path = path
    this.#ids = ids
    this.#parts.openText(path, ids)
  }

  text(from: number, to: number): void {
    this.#from = from
    this.#to = to
    this.#parts.text(from, to)
  }

  skip(from: number, to: number): void {
    this.#parts.skip(from, to)
  }

  /** A line is scanned from its beginning on. */
  begin(): void {
    this.#texts = 0
  }

  /** The line that was begun has ended in the same piece: if it has one text, others are compared with it. */
  learn(bytes: string, from: number, feed: number): void {
    if (this.#texts !== 1) return
    const before = bytes.slice(from, this.#from)
    const after = bytes.slice(this.#to, feed + 1)
    this.#template = { before, after, path: this.#path, ids: this.#ids }
  }

  /** Passes on the text of a line that is like the last one, and gives where its line feed is; -1 if it is not alike. */
  match(bytes: string, from: number): number {
    const template = this.#template
    if (template === undefined || !bytes.startsWith(template.before, from)) return -1
    const start = from + template.before.length
    // A string that is not closed ends with its line, whatever follows.
    const feed = bytes.indexOf('\n', start)
    const end = closingQuote(bytes, start, feed)
    if (end < 0 || !bytes.startsWith(template.after, end)) return -1
    this.#parts.openText(template.path, template.ids)
    this.#parts.text(start, end)
    return end + template.after.length - 1
  }
}
