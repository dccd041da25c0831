import { KnownBytes } from '@hydra/core'

/** What stands around the text of an event: almost every event of a stream is like the one before but for its text. */
export class EventFrame {
  readonly before: KnownBytes
  readonly after: KnownBytes
  /** What stands before and behind the text. */
  readonly texts: readonly [string, string]

  /** Both are ASCII. */
  constructor(before: string, after: string) {
    this.texts = [before, after]
    this.before = new KnownBytes(before)
    this.after = new KnownBytes(after)
  }

  isOf(before: string, after: string): boolean {
    return this.texts[0] === before && this.texts[1] === after
  }
}
