import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { brokenFrame } from './broken-frame.ts'
import { checksumOf, NO_REMAINDER, remainderOver } from './crc32.ts'
import { decodeFrameHeaders } from './frame-headers.ts'
import { CHECKSUM_LENGTH, PRELUDE_LENGTH, uint32At } from './frame-layout.ts'

/** One message of an AWS event stream: its headers as texts, and its payload as text. */
export interface Frame {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: string
}

const MIN_FRAME_LENGTH = PRELUDE_LENGTH + CHECKSUM_LENGTH

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** Hears the frames of a stream. */
export interface FrameListener {
  frame(frame: Frame): void
  /** Takes the frames from a place on that it knows by their bytes; gives where it stopped. */
  skim?(bytes: Uint8Array, from: number): number
}

/** Cuts bytes into the frames of an AWS event stream, within bounded memory, and checks their checksums. */
export class FrameReader {
  readonly #listener: FrameListener
  /** As long as what has to be there before anything can be done: the prelude first, then the frame. */
  #buffer = new Uint8Array(PRELUDE_LENGTH)
  #filled = 0

  constructor(listener: FrameListener) {
    this.#listener = listener
  }

  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) at = this.#filled === 0 ? this.#readWhole(bytes, at) : this.#gather(bytes, at)
  }

  /** The body ended: in the middle of a frame that is a fault. */
  end(): void {
    if (this.#filled === 0) return
    throw brokenFrame(`the last frame was cut off after ${this.#filled} bytes`)
  }

  /** Reads the frames that begin at a place and are there as a whole; gives where the rest begins. */
  #readWhole(bytes: Uint8Array, from: number): number {
    const at = this.#listener.skim?.(bytes, from) ?? from
    if (at === bytes.length) return at
    if (at + PRELUDE_LENGTH > bytes.length) return this.#gather(bytes, at)
    const end = at + frameLength(bytes, at)
    if (end > bytes.length) return this.#gather(bytes, at)
    this.#listener.frame(decodeFrame(bytes, at, end))
    return end
  }

  /** Keeps the bytes of a frame until all of them are there; gives where it stopped. */
  #gather(bytes: Uint8Array, at: number): number {
    const piece = bytes.subarray(at, at + this.#buffer.length - this.#filled)
    this.#buffer.set(piece, this.#filled)
    this.#filled += piece.length
    if (this.#filled === this.#buffer.length) {
      if (this.#filled === PRELUDE_LENGTH) this.#makeRoom()
      else this.#read()
    }
    return at + piece.length
  }

  /** The prelude is there; nothing is allocated for a length that its checksum does not confirm. */
  #makeRoom(): void {
    const room = new Uint8Array(frameLength(this.#buffer, 0))
    room.set(this.#buffer)
    this.#buffer = room
  }

  #read(): void {
    const frame = this.#buffer
    this.#buffer = new Uint8Array(PRELUDE_LENGTH)
    this.#filled = 0
    this.#listener.frame(decodeFrame(frame, 0, frame.length))
  }
}

/** How long a frame is whose prelude is at a place. */
function frameLength(bytes: Uint8Array, at: number): number {
  const length = uint32At(bytes, at)
  const headersLength = uint32At(bytes, at + 4)
  if (length < MIN_FRAME_LENGTH || length > MAX_EVENT_LENGTH) {
    throw brokenFrame(
      `expected a frame of ${MIN_FRAME_LENGTH} to ${MAX_EVENT_LENGTH} bytes, got one of ${length}`,
    )
  }
  expectChecksum(bytes, at, at + 8)
  if (headersLength <= length - MIN_FRAME_LENGTH) return length
  throw brokenFrame(`expected headers within a frame of ${length} bytes, got headers of ${headersLength}`)
}

/** Reads a frame that is there as a whole and whose prelude was checked. */
function decodeFrame(bytes: Uint8Array, begin: number, end: number): Frame {
  const payloadEnd = end - CHECKSUM_LENGTH
  const headersBegin = begin + PRELUDE_LENGTH
  const headersEnd = headersBegin + uint32At(bytes, begin + 4)
  expectChecksum(bytes, begin, payloadEnd)
  return {
    headers: decodeFrameHeaders(bytes.subarray(headersBegin, headersEnd)),
    payload: DECODER.decode(bytes.subarray(headersEnd, payloadEnd)),
  }
}

/** Bytes are followed by their checksum. */
function expectChecksum(bytes: Uint8Array, begin: number, end: number): void {
  const checksum = checksumOf(remainderOver(NO_REMAINDER, bytes, begin, end))
  if (checksum !== uint32At(bytes, end)) throw brokenFrame('a frame does not match its checksum')
}
