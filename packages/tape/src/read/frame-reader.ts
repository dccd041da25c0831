import type { FramedLine, FramedText, TapeLine } from '../format/lines.ts'
import type { ParsedLine } from './parse-line.ts'

/** All texts together, in characters: a line of a few bytes may stand for a text of any length. */
const MOST_TEXT = 1024 * 1024 * 1024

/** What stands around the text of a chunk, and the leg in which that holds. */
interface Frame {
  readonly leg: string
  readonly before: string
  readonly after: string
}

/** Puts the texts of chunks together that are written as being like an earlier one but for a part. */
export class FrameReader {
  /** By the number of their line. */
  readonly #frames = new Map<number, Frame>()
  readonly #most: number
  #size = 0

  constructor(most: number = MOST_TEXT) {
    this.#most = most
  }

  /** The line as it would be with its whole text, or why that cannot be had. */
  read([number, time, exchange, leg, type, data]: FramedLine): Exclude<ParsedLine, { framed: FramedLine }> {
    const frame = this.#frameOf(number, `${exchange} ${leg}`, data)
    if (typeof frame === 'string') return { fault: frame }
    this.#size += frame.before.length + data.text.length + frame.after.length
    if (this.#size > this.#most) {
      return { fault: `the chunks that are like others are longer than ${this.#most} characters together` }
    }
    const text = frame.before + data.text + frame.after
    return { event: [number, time, exchange, leg, type, text] satisfies TapeLine }
  }

  #frameOf(number: number, leg: string, data: FramedText): Frame | string {
    if ('frame' in data) {
      const [before, after] = data.frame
      const frame = { leg, before, after }
      this.#frames.set(number, frame)
      return frame
    }
    const frame = this.#frames.get(data.like)
    if (frame?.leg === leg) return frame
    return `there is no line ${data.like} before it with the frame of a chunk of the same leg`
  }
}
