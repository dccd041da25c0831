import { fastTextBody } from '../../fast-text/fast-text-body.ts'
import { HubError } from '../../hub/error.ts'
import { ArraySplitter } from '../../json/array-splitter.ts'
import { Utf8Decoder } from '../../sse/utf8-decoder.ts'
import type { BodyReader, ReadProgress, StreamDecoder } from '../dialect.ts'

const OPEN_BRACKET = 0x5b
/** White space, and the bytes of a byte order mark. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])
/** An array begins after at most this many blanks. */
const MAX_BLANKS = 4096

/** Creates the reader of an answer: events, one JSON document, or the array that a stream is without `alt=sse`. */
export function decodeBody(decoder: StreamDecoder, decodeWhole: (body: unknown) => void): BodyReader {
  return new GeminiBody(decoder, decodeWhole)
}

class GeminiBody implements BodyReader {
  readonly #decoder: StreamDecoder
  readonly #decodeWhole: (body: unknown) => void
  #reader: BodyReader | undefined
  /** What came before the first visible byte: half of a byte order mark may be in it. */
  readonly #blanks: Uint8Array[] = []
  #blankLength = 0

  constructor(decoder: StreamDecoder, decodeWhole: (body: unknown) => void) {
    this.#decoder = decoder
    this.#decodeWhole = decodeWhole
  }

  get progress(): ReadProgress {
    return this.#reader?.progress ?? { from: 0, events: 0, isStray: false }
  }

  push(bytes: Uint8Array): void {
    if (this.#reader !== undefined) {
      this.#reader.push(bytes)
      return
    }
    // A piece is its owner's to use again.
    this.#blanks.push(bytes.slice())
    const visible = bytes.findIndex((byte) => !BLANK.has(byte))
    this.#blankLength += visible === -1 ? bytes.length : visible
    if (visible !== -1 || this.#blankLength > MAX_BLANKS) this.#begin(bytes[visible])
  }

  end(): void {
    if (this.#reader === undefined) this.#begin(undefined)
    this.#reader?.end()
  }

  /** The first visible byte says what a body is. */
  #begin(first: number | undefined): void {
    const isArray = first === OPEN_BRACKET && this.#blankLength <= MAX_BLANKS
    this.#reader = isArray ? new ArrayBody(this.#decoder) : fastTextBody(this.#decoder, this.#decodeWhole)
    for (const bytes of this.#blanks.splice(0)) this.#reader.push(bytes)
  }
}

/** Reads the pieces of an answer out of a JSON array, each as soon as it is complete. */
class ArrayBody implements BodyReader {
  readonly #utf8 = new Utf8Decoder()
  readonly #decoder: StreamDecoder
  readonly #elements: ArraySplitter

  constructor(decoder: StreamDecoder) {
    this.#decoder = decoder
    this.#elements = new ArraySplitter((json) => decoder.event(undefined, json))
  }

  push(bytes: Uint8Array): void {
    this.#elements.push(this.#utf8.decode(bytes))
  }

  end(): void {
    if (this.#elements.isClosed) {
      this.#decoder.end()
      return
    }
    throw new HubError('api_error', 'gemini: the answer broke off before the end of its array', {
      status: 502,
    })
  }
}
