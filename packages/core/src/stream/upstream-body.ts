import type { BodyReader, StreamDecoder } from '../dialects/dialect.ts'
import { HubError } from '../hub/error.ts'
import { MAX_EVENT_LENGTH, SseParser } from '../sse/parse.ts'
import { Utf8Decoder } from '../sse/utf8-decoder.ts'

type Form = 'unknown' | 'events' | 'json'

/** After so many events that nobody knew by sight, the rest of a read is decoded and split in the usual way. */
const MAX_STRANGERS = 2
const LINE_FEED = 10

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
  #json: string[] = []
  #jsonLength = 0

  constructor(decoder: StreamDecoder, decodeWhole: (body: unknown) => void) {
    this.#decoder = decoder
    this.#decodeWhole = decodeWhole
    this.#events = new SseParser(decoder)
  }

  push(bytes: Uint8Array): void {
    const rest = this.#skim(bytes)
    if (rest < bytes.length) this.#read(part(bytes, rest, bytes.length))
  }

  /** Has the decoder take what it knows by sight, reads the events in between, and gives where the rest begins. */
  #skim(bytes: Uint8Array): number {
    let at = 0
    for (let strangers = 0; strangers < MAX_STRANGERS; strangers += 1) {
      const known = this.#takeKnown(bytes, at)
      if (known > at) strangers = 0
      const end = known === bytes.length ? -1 : endOfEvent(bytes, known)
      if (end === -1) return known
      this.#read(part(bytes, known, end))
      at = end
    }
    return this.#takeKnown(bytes, at)
  }

  #takeKnown(bytes: Uint8Array, from: number): number {
    if (this.#decoder.skim === undefined || this.#form !== 'events') return from
    if (!this.#events.isBetweenEvents || !this.#utf8.isBetweenCharacters) return from
    return this.#decoder.skim(bytes, from)
  }

  #read(bytes: Uint8Array): void {
    const text = this.#utf8.decode(bytes)
    if (this.#form === 'unknown') this.#form = formOf(text)
    if (this.#form === 'json') this.#collect(text)
    else this.#events.push(text)
  }

  end(): void {
    if (this.#form === 'json') {
      this.#decodeWhole(parseWhole(this.#json.join('')))
      return
    }
    this.#flushEvents()
    this.#decoder.end()
  }

  #collect(text: string): void {
    this.#json.push(text)
    this.#jsonLength += text.length
    if (this.#jsonLength <= MAX_EVENT_LENGTH) return
    this.#json = []
    throw new HubError('api_error', `upstream: the answer is longer than ${MAX_EVENT_LENGTH} characters`)
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

function part(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to)
}

/** Where the event ends that has its first line feed after this place, -1 if its end has not come. */
function endOfEvent(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at + 1] === LINE_FEED) return at + 2
  }
  return -1
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HubError('api_error', 'upstream: the JSON answer is cut off or not JSON', { cause })
  }
}
