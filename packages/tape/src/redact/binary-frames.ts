import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { BodyLayout, BodyParts } from './body-parts.ts'
import { FrameChecksum } from './frame-checksum.ts'
import { FrameHeaders } from './frame-headers.ts'
import { JsonTexts } from './json-texts.ts'
import type { Piece } from './piece.ts'

/** The length of the frame, the length of its headers, and a checksum of the two. */
const PRELUDE_LENGTH = 12
const CHECKSUM_LENGTH = 4
const MIN_FRAME = PRELUDE_LENGTH + CHECKSUM_LENGTH

/** The core reads no longer frames; a body that has one is taken for plain text. */
const MAX_FRAME = 16 * 1024 * 1024

/**
 * A body in the binary frames of AWS event streams. The values of headers are plain, payloads are JSON, and the checksum
 * at the end of a frame is made to fit what is written. Lengths are never touched: a mark is as long as its secret.
 */
export class BinaryFrames implements BodyLayout {
  readonly isBetweenEvents = false
  readonly #parts: BodyParts
  readonly #headers: FrameHeaders
  readonly #payload: JsonTexts
  #prelude = ''
  /** How much of the open frame was scanned, and where its headers and its payload end. */
  #scanned = 0
  #headersEnd = 0
  #payloadEnd = 0
  #checksum = new FrameChecksum()
  /** What began like frames is something else. */
  #isBroken = false

  constructor(parts: BodyParts) {
    this.#parts = parts
    this.#headers = new FrameHeaders(parts)
    this.#payload = new JsonTexts(parts)
  }

  scan(piece: Piece, from: number): void {
    let at = from
    while (at < piece.bytes.length && !this.#isBroken) {
      const to = Math.min(piece.bytes.length, at + this.#endOfSection() - this.#scanned)
      this.#scanSection(piece, at, to)
      this.#scanned += to - at
      at = to
      if (this.#scanned === PRELUDE_LENGTH) this.#readPrelude()
      else if (this.#scanned === this.#payloadEnd + CHECKSUM_LENGTH) this.#endFrame()
    }
  }

  /** Where in the open frame the prelude, the headers, the payload or the checksum ends, whichever is next. */
  #endOfSection(): number {
    if (this.#scanned < PRELUDE_LENGTH) return PRELUDE_LENGTH
    if (this.#scanned < this.#headersEnd) return this.#headersEnd
    return this.#scanned < this.#payloadEnd ? this.#payloadEnd : this.#payloadEnd + CHECKSUM_LENGTH
  }

  #scanSection(piece: Piece, from: number, to: number): void {
    const { bytes } = piece
    if (this.#scanned >= PRELUDE_LENGTH && this.#scanned >= this.#payloadEnd) {
      this.#checksum.addRecorded(piece, from, to)
      this.#parts.skip(from, to)
      return
    }
    this.#checksum.add(piece, from, to)
    // Too short to hold a secret; and if this is no frame, it may be the beginning of one.
    if (this.#scanned < PRELUDE_LENGTH) this.#prelude += bytes.slice(from, to)
    else if (this.#scanned < this.#headersEnd) this.#headers.scan(bytes, from, to)
    else this.#payload.scan(bytes, from, to)
  }

  #readPrelude(): void {
    const length = uint32(this.#prelude, 0)
    this.#headersEnd = PRELUDE_LENGTH + uint32(this.#prelude, 4)
    this.#payloadEnd = length - CHECKSUM_LENGTH
    const isPossible = length >= MIN_FRAME && length <= MAX_FRAME && this.#headersEnd <= this.#payloadEnd
    const checksum = crc32(Buffer.from(this.#prelude.slice(0, 8), 'latin1'))
    this.#isBroken = !isPossible || checksum !== uint32(this.#prelude, 8)
  }

  #endFrame(): void {
    this.#prelude = ''
    this.#scanned = 0
    this.#checksum = new FrameChecksum()
    this.#headers.reset()
    this.#payload.reset()
  }
}

function uint32(bytes: string, at: number): number {
  let value = 0
  for (let index = at; index < at + 4; index += 1) value = value * 256 + bytes.charCodeAt(index)
  return value
}
