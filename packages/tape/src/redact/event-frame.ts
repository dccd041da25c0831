import { Buffer } from 'node:buffer'

/** The JSON of an event, without the text in it. */
export interface FrameJson {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** What stands around the text of an event: almost every event of a stream is like the one before but for its text. */
export class EventFrame {
  readonly #before: string
  readonly #after: string
  /** The JSON of both, made when it is first asked for: some streams have no two events that are alike. */
  #json: FrameJson | undefined

  constructor(before: string, after: string) {
    this.#before = before
    this.#after = after
  }

  /** Where the text begins. */
  get begin(): number {
    return this.#before.length
  }

  /** The text of an event that has this frame. */
  partOf(bytes: string): string | undefined {
    const begin = this.#before.length
    const end = bytes.length - this.#after.length
    // Slices are compared much faster than `startsWith` and `endsWith` do it.
    if (end < begin || bytes.slice(end) !== this.#after || bytes.slice(0, begin) !== this.#before)
      return undefined
    const part = bytes.slice(begin, end)
    return part.includes('"') ? undefined : part
  }

  /** The JSON that stands around the text of an event, which costs less than to look at each event again. */
  get json(): FrameJson {
    this.#json ??= {
      before: Buffer.from(JSON.stringify(this.#before).slice(0, -1)),
      after: Buffer.from(JSON.stringify(this.#after).slice(1)),
    }
    return this.#json
  }
}
