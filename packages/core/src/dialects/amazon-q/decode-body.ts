import { type Frame, FrameReader } from '../../event-stream/frames.ts'
import { HubError } from '../../hub/error.ts'
import { UpstreamBody } from '../../stream/upstream-body.ts'
import type { BodyReader, StreamDecoder } from '../dialect.ts'
import { decodeErrorPayload } from './error.ts'

/** Reads a body of event-stream frames; one that is none is read as what it turns out to be. */
export function decodeBody(decoder: StreamDecoder, decodeWhole: (body: unknown) => void): BodyReader {
  return new QBody(decoder, decodeWhole)
}

class QBody implements BodyReader {
  readonly #decoder: StreamDecoder
  readonly #decodeWhole: (body: unknown) => void
  #reader: BodyReader | undefined

  constructor(decoder: StreamDecoder, decodeWhole: (body: unknown) => void) {
    this.#decoder = decoder
    this.#decodeWhole = decodeWhole
  }

  push(bytes: Uint8Array): void {
    const [first] = bytes
    if (first === undefined) return
    this.#reader ??= this.#readerFor(first)
    this.#reader.push(bytes)
  }

  end(): void {
    if (this.#reader === undefined) this.#decoder.end()
    else this.#reader.end()
  }

  /** A frame begins with its length, whose first byte is zero in all that are short enough; no text begins so. */
  #readerFor(first: number): BodyReader {
    if (first > 1) return new UpstreamBody(this.#decoder, this.#decodeWhole)
    const frames = new FrameReader((frame) => tell(frame, this.#decoder))
    return {
      push: (bytes) => frames.push(bytes),
      end: () => {
        frames.end()
        this.#decoder.end()
      },
    }
  }
}

/** Tells a decoder what a frame says. */
function tell({ headers, payload }: Frame, decoder: StreamDecoder): void {
  const type = headers.get(':message-type')
  switch (type) {
    case 'event':
      decoder.event(headers.get(':event-type'), payload)
      return
    case 'exception':
      throw decodeErrorPayload(payloadOf(payload), headers.get(':exception-type'))
    case 'error':
      throw decodeErrorPayload({ message: headers.get(':error-message') }, headers.get(':error-code'))
    default:
      throw new HubError(
        'api_error',
        `amazon-q: expected an event or an exception, got ${type ?? 'neither'}`,
        {
          status: 502,
        },
      )
  }
}

/** The payload of an exception: JSON, or bare words. */
function payloadOf(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return payload
  }
}
