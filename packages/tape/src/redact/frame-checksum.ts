import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Piece } from './piece.ts'

interface FramePart {
  readonly piece: Piece
  readonly from: number
  readonly to: number
}

/** The checksum of a frame, which covers what lies in one or several pieces. It is made anew if a mark lies there. */
export class FrameChecksum {
  /** What the checksum covers. */
  readonly #parts: FramePart[] = []
  /** The checksum as it came. */
  #recorded = ''
  #bytes: string | undefined

  /** The frame goes on with bytes of a piece, from and to. */
  add(piece: Piece, from: number, to: number): void {
    if (from < to) this.#parts.push({ piece, from, to })
  }

  /** The checksum itself goes on with bytes of a piece. */
  addRecorded(piece: Piece, from: number, to: number): void {
    piece.hasChecksum(from, this.#recorded.length, this)
    this.#recorded += piece.bytes.slice(from, to)
  }

  /** The checksum as it is written. One that was wrong stays as it came: a broken frame must not look whole. */
  get bytes(): string {
    this.#bytes ??= this.#parts.some(({ piece }) => piece.isCovered) ? this.#renewed() : this.#recorded
    return this.#bytes
  }

  #renewed(): string {
    const before = this.#checksumOf(({ bytes }) => bytes)
    return before.startsWith(this.#recorded) ? this.#checksumOf(({ marked }) => marked) : this.#recorded
  }

  #checksumOf(textOf: (piece: Piece) => string): string {
    let sum = 0
    for (const { piece, from, to } of this.#parts) {
      sum = crc32(Buffer.from(textOf(piece).slice(from, to), 'latin1'), sum)
    }
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(sum)
    return bytes.toString('latin1')
  }
}
