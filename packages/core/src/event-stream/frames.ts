import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { brokenFrame } from './broken-frame.ts'
import { crc32 } from './crc32.ts'
import { decodeFrameHeaders } from './frame-headers.ts'

/** One message of an AWS event stream: its headers as texts, and its payload as text. */
export interface Frame {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: string
}

/** A frame begins with its length, the length of its headers, and a checksum of the two. */
const PRELUDE_LENGTH = 12
/** It ends with a checksum of all that comes before. */
const CHECKSUM_LENGTH = 4
const MIN_FRAME_LENGTH = PRELUDE_LENGTH + CHECKSUM_LENGTH

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** Cuts bytes into the frames of an AWS event stream, within bounded memory, and checks their checksums. */
export class FrameReader {
  readonly #listener: (frame: Frame) => void
  /** As long as what has to be there before anything can be done: the prelude first, then the frame. */
  #buffer = new Uint8Array(PRELUDE_LENGTH)
  #filled = 0

  constructor(listener: (frame: Frame) => void) {
    this.#listener = listener
  }

  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) {
      const piece = bytes.subarray(at, at + this.#buffer.length - this.#filled)
      this.#buffer.set(piece, this.#filled)
      this.#filled += piece.length
      at += piece.length
      if (this.#filled < this.#buffer.length) return
      if (this.#filled === PRELUDE_LENGTH) this.#makeRoom()
      else this.#read()
    }
  }

  /** The body ended: in the middle of a frame that is a fault. */
  end(): void {
    if (this.#filled === 0) return
    throw brokenFrame(`the last frame was cut off after ${this.#filled} bytes`)
  }

  /** The prelude is there; nothing is allocated for a length that its checksum does not confirm. */
  #makeRoom(): void {
    const room = new Uint8Array(frameLength(this.#buffer))
    room.set(this.#buffer)
    this.#buffer = room
  }

  #read(): void {
    const frame = this.#buffer
    this.#buffer = new Uint8Array(PRELUDE_LENGTH)
    this.#filled = 0
    this.#listener(decodeFrame(frame))
  }
}

function frameLength(prelude: Uint8Array): number {
  const fields = new DataView(prelude.buffer)
  const length = fields.getUint32(0)
  const headersLength = fields.getUint32(4)
  if (length < MIN_FRAME_LENGTH || length > MAX_EVENT_LENGTH) {
    throw brokenFrame(
      `expected a frame of ${MIN_FRAME_LENGTH} to ${MAX_EVENT_LENGTH} bytes, got one of ${length}`,
    )
  }
  expectChecksum(prelude.subarray(0, 8), fields.getUint32(8))
  if (headersLength <= length - MIN_FRAME_LENGTH) return length
  throw brokenFrame(`expected headers within a frame of ${length} bytes, got headers of ${headersLength}`)
}

/** Reads a frame that is there as a whole and whose prelude was checked. */
function decodeFrame(frame: Uint8Array): Frame {
  const fields = new DataView(frame.buffer)
  const payloadEnd = frame.length - CHECKSUM_LENGTH
  const headersEnd = PRELUDE_LENGTH + fields.getUint32(4)
  expectChecksum(frame.subarray(0, payloadEnd), fields.getUint32(payloadEnd))
  return {
    headers: decodeFrameHeaders(frame.subarray(PRELUDE_LENGTH, headersEnd)),
    payload: DECODER.decode(frame.subarray(headersEnd, payloadEnd)),
  }
}

function expectChecksum(bytes: Uint8Array, checksum: number): void {
  if (crc32(bytes) !== checksum) throw brokenFrame('a frame does not match its checksum')
}
