import type { BodyLayout, BodyParts } from './body-parts.ts'
import { JsonTexts } from './json-texts.ts'
import { LineTemplate } from './line-template.ts'
import type { Piece } from './piece.ts'

const DATA = 'data:'

/** A body in lines: server-sent events, whose `data` may be JSON; or plain text, which has no such lines. */
export class EventLines implements BodyLayout {
  readonly #template: LineTemplate
  readonly #json: JsonTexts
  /** The beginning of the open line as far as it may be that of a line of data; undefined once that is decided. */
  #head: string | undefined = ''
  #isData = false

  constructor(parts: BodyParts) {
    this.#template = new LineTemplate(parts)
    this.#json = new JsonTexts(this.#template)
  }

  get isBetweenEvents(): boolean {
    return this.#head === '' && this.#json.isComplete
  }

  scan({ bytes }: Piece, from: number): void {
    for (let at = from; at < bytes.length;) {
      const feed = this.#isFresh ? this.#scanWhole(bytes, at) : this.#scanRest(bytes, at)
      if (feed < 0) return
      this.#endLine()
      at = feed + 1
    }
  }

  /** Whether a line begins here, and nothing of its event was data before it. */
  get #isFresh(): boolean {
    return this.#head === '' && this.#json.isUntouched
  }

  /** Scans a line from its beginning on, and gives where its line feed is; -1 if the piece ends before. */
  #scanWhole(bytes: string, from: number): number {
    const alike = this.#template.match(bytes, from)
    if (alike >= 0) {
      this.#head = undefined
      this.#json.passValue()
      return alike
    }
    this.#template.begin()
    const feed = this.#scanRest(bytes, from)
    if (feed >= 0 && this.#json.isComplete) this.#template.learn(bytes, from, feed)
    return feed
  }

  #scanRest(bytes: string, from: number): number {
    const feed = bytes.indexOf('\n', from)
    this.#scanLine(bytes, from, feed < 0 ? bytes.length : feed)
    return feed
  }

  #scanLine(bytes: string, from: number, to: number): void {
    const begin = this.#head === undefined ? from : this.#readHead(bytes, from, to)
    if (this.#isData) this.#json.scan(bytes, begin, to)
  }

  /** Reads how the line begins, and gives where its value does. */
  #readHead(bytes: string, from: number, to: number): number {
    const known = this.#head ?? ''
    const end = Math.min(to, from + DATA.length - known.length)
    const head = known + bytes.slice(from, end)
    this.#isData = head === DATA
    this.#head = this.#isData || !DATA.startsWith(head) ? undefined : head
    if (head === '\r') this.#head = head
    return end
  }

  /** An empty line ends an event: whatever was open in it is not gone on with. */
  #endLine(): void {
    if (this.#head === '' || this.#head === '\r') this.#json.reset()
    this.#head = ''
    this.#isData = false
  }
}
