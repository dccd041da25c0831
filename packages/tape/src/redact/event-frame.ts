import { Buffer } from 'node:buffer'
import { KnownBytes } from '@hydra/core'

/** The JSON of an event, without the text in it. */
export interface FrameJson {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** What stands around the text of an event: almost every event of a stream is like the one before but for its text. */
export class EventFrame {
  readonly before: KnownBytes
  readonly after: KnownBytes
  /** The JSON that stands around the text of an event, which costs less than to look at each event again. */
  readonly json: FrameJson

  readonly #texts: readonly [string, string]

  /** Both are ASCII. */
  constructor(before: string, after: string) {
    this.#texts = [before, after]
    this.before = new KnownBytes(before)
    this.after = new KnownBytes(after)
    this.json = {
      before: Buffer.from(JSON.stringify(before).slice(0, -1)),
      after: Buffer.from(JSON.stringify(after).slice(1)),
    }
  }

  isOf(before: string, after: string): boolean {
    return this.#texts[0] === before && this.#texts[1] === after
  }
}
