import type { BodyReader, StreamDecoder } from '../dialects/dialect.ts'
import { isSkimmer } from '../fast-text/fast-text-body.ts'
import { HubError } from '../hub/error.ts'
import { jsonIn } from '../json/wire.ts'
import { UpstreamBody } from '../stream/upstream-body.ts'
import { type Frame, FrameReader } from './frames.ts'

/** What a body of frames needs of its dialect. */
interface FrameRules {
  readonly dialect: string
  readonly decoder: StreamDecoder
  readonly decodeWhole: (body: unknown) => void
  /** An exception in the stream as the error for the client. */
  readonly decodeException: (payload: unknown, name: string | undefined) => HubError
}

/** Reads a body of event-stream frames; one that is none is read as what it turns out to be. */
export class FrameBody implements BodyReader {
  readonly #rules: FrameRules
  #reader: BodyReader | undefined

  constructor(rules: FrameRules) {
    this.#rules = rules
  }

  push(bytes: Uint8Array): void {
    const [first] = bytes
    if (first === undefined) return
    this.#reader ??= this.#readerFor(first)
    this.#reader.push(bytes)
  }

  end(): void {
    if (this.#reader === undefined) this.#rules.decoder.end()
    else this.#reader.end()
  }

  /** A frame begins with its length, whose first byte is zero in all that are short enough; no text begins so. */
  #readerFor(first: number): BodyReader {
    const { decoder, decodeWhole } = this.#rules
    if (first > 1) return new UpstreamBody(decoder, decodeWhole)
    const frames = new FrameReader({
      frame: (frame) => passOn(frame, this.#rules),
      skim: (bytes, from) => (isSkimmer(decoder) ? decoder.skim(bytes, from) : from),
    })
    return {
      push: (bytes) => frames.push(bytes),
      end: () => {
        frames.end()
        decoder.end()
      },
    }
  }
}

/** Passes on to a decoder what a frame says. */
function passOn({ headers, payload }: Frame, { dialect, decoder, decodeException }: FrameRules): void {
  const type = headers.get(':message-type')
  switch (type) {
    case 'event':
      decoder.event(headers.get(':event-type'), payload)
      return
    case 'exception':
      throw decodeException(jsonIn(payload) ?? payload, headers.get(':exception-type'))
    case 'error':
      throw decodeException({ message: headers.get(':error-message') }, headers.get(':error-code'))
    default: {
      const message = `${dialect}: expected an event or an exception, got ${type ?? 'neither'}`
      throw new HubError('api_error', message, { status: 502 })
    }
  }
}
