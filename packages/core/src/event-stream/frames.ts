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
  #pieces: Uint8Array[] = []
  #held = 0
  /** How many bytes have to be there before anything can be done. */
  #wanted = LENGTH_BYTES

  constructor(listener: (frame: Frame) => void) {
    this.#listener = listener
  }

  push(bytes: Uint8Array): void {
    let at = 0
    while (this.#held + bytes.length - at >= this.#wanted) {
      const end = at + this.#wanted - this.#held
      const begin = this.#joined(bytes.subarray(at, end))
      at = end
      if (this.#wanted === LENGTH_BYTES) this.#expect(begin)
      else this.#read(begin)
    }
    // The bytes of a read belong to whoever made it.
    if (at < bytes.length) this.#hold(bytes.slice(at))
  }

  /** The body ended: in the middle of a frame that is a fault. */
  end(): void {
    if (this.#held === 0) return
    throw broken(`the last frame was cut off after ${this.#held} bytes`)
  }

  /** The length of the next frame is known. */
  #expect(begin: Uint8Array): void {
    const length = new DataView(begin.buffer, begin.byteOffset).getUint32(0)
    if (length < LEAST_LENGTH || length > MAX_EVENT_LENGTH) {
      throw broken(`expected a frame of ${LEAST_LENGTH} to ${MAX_EVENT_LENGTH} bytes, got one of ${length}`)
    }
    this.#wanted = length
    this.#hold(begin.slice())
  }

  #read(bytes: Uint8Array): void {
    this.#wanted = LENGTH_BYTES
    this.#listener(decodeFrame(bytes))
  }

  #hold(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#held += piece.length
  }

  /** What was held back with the bytes that follow it. */
  #joined(rest: Uint8Array): Uint8Array {
    if (this.#held === 0) return rest
    const joined = new Uint8Array(this.#held + rest.length)
    let at = 0
    for (const piece of this.#pieces) {
      joined.set(piece, at)
      at += piece.length
    }
    joined.set(rest, at)
    this.#pieces = []
    this.#held = 0
    return joined
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
