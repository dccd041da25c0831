import { EventFrame } from './event-frame.ts'

/** So many are remembered, the one used last at the end. */
const MOST_FRAMES = 16

/** The frames that were met last: the same come again in one exchange after the other. */
export class KnownFrames {
  readonly #frames: EventFrame[] = []

  /** The frame of an event by what stands before and behind its text, which is ASCII. */
  frame(before: string, after: string): EventFrame {
    const at = this.#frames.findLastIndex((frame) => frame.isOf(before, after))
    const known = at < 0 ? undefined : this.#frames[at]
    if (known === undefined) return this.#add(new EventFrame(before, after))
    if (at === this.#frames.length - 1) return known
    this.#frames.splice(at, 1)
    return this.#add(known)
  }

  #add(frame: EventFrame): EventFrame {
    if (this.#frames.length >= MOST_FRAMES) this.#frames.shift()
    this.#frames.push(frame)
    return frame
  }
}
