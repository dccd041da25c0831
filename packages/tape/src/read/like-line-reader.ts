import type { FramedLine, FramedText, TapeLine } from '../format/lines.ts'
import { fills } from './check-data.ts'
import type { ParsedLine } from './parse-line.ts'

/** All texts together, in characters: a line of a few bytes may stand for a text of any length. */
const MAX_TEXT_LENGTH = 1024 * 1024 * 1024

/** What is around the texts of a chunk, and the leg in which that holds. */
interface Frame {
  readonly leg: string
  readonly parts: readonly string[]
  readonly length: number
}

/** Puts the texts of chunks together that are written as being like an earlier one but for a few parts. */
export class LikeLineReader {
  /** By the number of their line. */
  readonly #frames = new Map<number, Frame>()
  readonly #most: number
  #size = 0

  constructor(most: number = MAX_TEXT_LENGTH) {
    this.#most = most
  }

  /** The line as it would be with its whole text, or why that cannot be had. */
  read([number, time, exchange, leg, type, data]: FramedLine): Exclude<ParsedLine, { framed: FramedLine }> {
    const frame = this.#frameOf(number, `${exchange} ${leg}`, data)
    if (typeof frame === 'string') return { fault: frame }
    const texts = data.texts ?? [data.text]
    const gaps = frame.parts.length - 1
    if (!fills(texts.length, gaps)) {
      return { fault: `expected ${gaps} texts as in line ${data.like}, got ${texts.length}` }
    }
    this.#size += frame.length * (texts.length / gaps) + lengthOf(texts)
    if (this.#size > this.#most) {
      return { fault: `the chunks that are like others are longer than ${this.#most} characters together` }
    }
    const text = filled(frame.parts, texts)
    return { event: [number, time, exchange, leg, type, text] satisfies TapeLine }
  }

  #frameOf(number: number, leg: string, { frame: parts, like }: FramedText): Frame | string {
    if (parts !== undefined) {
      const frame = { leg, parts, length: lengthOf(parts) }
      this.#frames.set(number, frame)
      return frame
    }
    const frame = this.#frames.get(like)
    if (frame?.leg === leg) return frame
    return `there is no line ${like} before it with the frame of a chunk of the same leg`
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0)
}

/** A frame with texts in its gaps, as many times as they fill it. */
function filled(parts: readonly string[], texts: readonly string[]): string {
  const gaps = parts.length - 1
  const end = parts[gaps] ?? ''
  return texts
    .map((text, index) => `${parts[index % gaps]}${text}${index % gaps === gaps - 1 ? end : ''}`)
    .join('')
}
