import type { Channel } from './channel.ts'
import type { Piece } from './piece.ts'

/** Bytes of a piece with which a text goes on. */
export interface TextPart {
  readonly piece: Piece
  readonly from: number
  /** The bytes, one character each. */
  readonly part: string
  /** The number of the piece in its stream. */
  readonly number: number
  /** Whether it is known that the piece holds no whole secret. */
  readonly isHarmless: boolean
}

/**
 * A text of a stream. Where ids come with it, it is searched in two ways at once: put together with all others of its
 * path, and only with those of the same ids. An id may name the text, or just the event.
 */
export class StreamText {
  readonly #channels: readonly Channel[]

  constructor(channels: readonly Channel[]) {
    this.#channels = channels
  }

  push({ piece, from, part, number, isHarmless }: TextPart): void {
    if (part === '') return
    for (const channel of this.#channels) {
      channel.lastPiece = number
      if (isHarmless) channel.pushHarmless(piece, from, part)
      else channel.push(piece, from, part)
    }
  }

  /** How much of what the text could go on with holds no secret, whatever follows; negative if that is not known. */
  harmlessIn(texts: string): number {
    let harmless = texts.length
    for (const channel of this.#channels) harmless = Math.min(harmless, channel.harmlessIn(texts))
    return harmless
  }

  /** The text goes on, up to a piece by its number, with something that holds no secret, whatever follows. */
  pass(number: number): void {
    for (const channel of this.#channels) {
      channel.lastPiece = number
      channel.pass()
    }
  }
}
