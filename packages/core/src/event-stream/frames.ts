import { EventStreamCodec } from '@smithy/core/event-streams'
import { HubError } from '../hub/error.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'

/** One message of an AWS event stream: its headers as texts, and its payload as text. */
export interface Frame {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: string
}

/** A frame begins with its own length. */
const LENGTH_BYTES = 4
/** Two lengths and two checksums. */
const LEAST_LENGTH = 16

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })
/** It keeps nothing between two frames, so one serves all streams. */
const CODEC = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : DECODER.decode(bytes)),
  (text) => ENCODER.encode(text),
)

/** Cuts bytes into the frames of an AWS event stream, within bounded memory, and checks their checksums. */
export class FrameReader {
  readonly #listener: (frame: Frame) => void
  /** As long as what has to be there before anything can be done: a length first, then the frame. */
  #buffer = new Uint8Array(LENGTH_BYTES)
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
      if (this.#filled === LENGTH_BYTES) this.#makeRoom()
      else this.#read()
    }
  }

  /** The body ended: in the middle of a frame that is a fault. */
  end(): void {
    if (this.#filled === 0) return
    throw broken(`the last frame was cut off after ${this.#filled} bytes`)
  }

  /** The length of the next frame is known. */
  #makeRoom(): void {
    const length = new DataView(this.#buffer.buffer).getUint32(0)
    if (length < LEAST_LENGTH || length > MAX_EVENT_LENGTH) {
      throw broken(`expected a frame of ${LEAST_LENGTH} to ${MAX_EVENT_LENGTH} bytes, got one of ${length}`)
    }
    const room = new Uint8Array(length)
    room.set(this.#buffer)
    this.#buffer = room
  }

  #read(): void {
    const frame = this.#buffer
    this.#buffer = new Uint8Array(LENGTH_BYTES)
    this.#filled = 0
    this.#listener(decodeFrame(frame))
  }
}

function decodeFrame(bytes: Uint8Array): Frame {
  const { headers, body } = checked(bytes)
  const texts = Object.entries(headers).flatMap(([name, { type, value }]) =>
    type === 'string' ? [[name, value] as const] : [],
  )
  return { headers: new Map(texts), payload: DECODER.decode(body) }
}

function checked(bytes: Uint8Array): ReturnType<EventStreamCodec['decode']> {
  try {
    return CODEC.decode(bytes)
  } catch (cause) {
    // The codec's own words name checksums, which tell nobody anything.
    throw broken('a frame does not match its checksums, or its headers are no headers', cause)
  }
}

function broken(what: string, cause?: unknown): HubError {
  return new HubError('api_error', `upstream: ${what}`, { status: 502, cause })
}
