import type { BodyReader, ReadProgress, StreamDecoder } from '../dialects/dialect.ts'
import { HubError } from '../hub/error.ts'
import { MAX_EVENT_LENGTH, SseParser } from '../sse/parse.ts'
import { Utf8Decoder } from '../sse/utf8-decoder.ts'
import { TextPieces } from './text-pieces.ts'

type Form = 'unknown' | 'events' | 'json'

/**
 * Reads the body of an upstream's answer, whatever it turns out to be: events, as asked for;
 * one JSON document although a stream was asked for; or something that is neither.
 */
export class UpstreamBody implements BodyReader {
  readonly #utf8 = new Utf8Decoder()
  readonly #events: SseParser
  readonly #decoder: StreamDecoder
  readonly #decodeWhole: (body: unknown) => void
  #form: Form = 'unknown'
  readonly #json = new TextPieces()

  constructor(decoder: StreamDecoder, decodeWhole: (body: unknown) => void) {
    this.#decoder = decoder
    this.#decodeWhole = decodeWhole
    this.#events = new SseParser(decoder)
  }

  push(bytes: Uint8Array): void {
    this.#events.events = 0
    const text = this.#utf8.decode(bytes)
    if (this.#form === 'unknown') this.#form = formOf(text)
    if (this.#form === 'json') this.#collect(text)
    else this.#events.push(text)
  }

  get progress(): ReadProgress {
    return { from: 0, events: this.#events.events, isStray: this.#events.isStray }
  }

  /** Whether what comes next begins an event. */
  get isBetweenEvents(): boolean {
    return this.#form === 'events' && this.#events.isBetweenEvents && this.#utf8.isBetweenCharacters
  }

  end(): void {
    if (this.#form === 'json') {
      this.#decodeWhole(parseWhole(this.#json.take()))
      return
    }
    this.#flushEvents()
    this.#decoder.end()
  }

  #collect(text: string): void {
    this.#json.push(text)
    if (this.#json.length <= MAX_EVENT_LENGTH) return
    this.#json.take()
    const words = `upstream: the answer is longer than ${MAX_EVENT_LENGTH} characters`
    throw new HubError('api_error', words, { status: 502 })
  }

  /** An event that was cut off in the middle is not a fault of its own: whether the stream was cut is the decoder's to say. */
  #flushEvents(): void {
    try {
      this.#events.end()
    } catch (thrown) {
      if (!(thrown instanceof HubError && thrown.cause instanceof SyntaxError)) throw thrown
    }
  }
}

/** What a body is, by its first visible character; no line of an event stream begins with a bracket. */
function formOf(text: string): Form {
  const first = text.trimStart().charAt(0)
  if (first === '') return 'unknown'
  if (first === '{' || first === '[') return 'json'
  if (first === '<') {
    throw new HubError('api_error', 'upstream: expected an event stream, got HTML', { status: 502 })
  }
  return 'events'
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HubError('api_error', 'upstream: the JSON answer is cut off or not JSON', {
      status: 502,
      cause,
    })
  }
}
