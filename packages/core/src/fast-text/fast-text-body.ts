import type { BodyReader, ReadProgress, StreamDecoder } from '../dialects/dialect.ts'
import { UpstreamBody } from '../stream/upstream-body.ts'

/** After this many events in a row that match no template, the rest of a read takes the usual way. */
const MAX_MISMATCHES = 2
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** A stream decoder that knows most of its events by their bytes. */
export interface TextSkimmer extends StreamDecoder {
  /** Takes the events from `from` on that match its template; gives where it stopped. `from` is between two events. */
  skim(bytes: Uint8Array, from: number): number
  /** How many events there were so far, with those that were taken so. */
  readonly count: number
}

/** Whether a decoder does. */
export function isSkimmer(decoder: StreamDecoder): decoder is TextSkimmer {
  return 'skim' in decoder
}

/** A dialect's `decodeBody` for decoders with a `skim`: they see the bytes before these are decoded and split. */
export function fastTextBody(decoder: StreamDecoder, decodeWhole: (body: unknown) => void): BodyReader {
  const body = new UpstreamBody(decoder, decodeWhole)
  return isSkimmer(decoder) ? new FastTextBody(body, decoder) : body
}

class FastTextBody implements BodyReader {
  readonly #body: UpstreamBody
  readonly #decoder: TextSkimmer
  /** How far the bytes of the last push were read, and whether by the decoder. */
  #from = 0
  #isSkimming = false
  #countBefore = 0

  constructor(body: UpstreamBody, decoder: TextSkimmer) {
    this.#body = body
    this.#decoder = decoder
  }

  push(bytes: Uint8Array): void {
    const rest = this.#skim(bytes)
    if (rest < bytes.length) this.#read(bytes, rest, bytes.length)
  }

  get progress(): ReadProgress {
    if (!this.#isSkimming) return { ...this.#body.progress, from: this.#from }
    return { from: this.#from, events: this.#decoder.count - this.#countBefore, isStray: false }
  }

  end(): void {
    this.#body.end()
  }

  /** Lets the decoder take what it knows, reads the events in between, and gives where the rest begins. */
  #skim(bytes: Uint8Array): number {
    let at = 0
    for (let mismatches = 0; mismatches < MAX_MISMATCHES; mismatches += 1) {
      const known = this.#takeKnownEvents(bytes, at)
      if (known > at) mismatches = 0
      const end = known === bytes.length ? -1 : endOfEvent(bytes, known)
      if (end === -1) return known
      this.#read(bytes, known, end)
      at = end
    }
    return this.#takeKnownEvents(bytes, at)
  }

  #read(bytes: Uint8Array, from: number, to: number): void {
    this.#from = from
    this.#body.push(part(bytes, from, to))
  }

  #takeKnownEvents(bytes: Uint8Array, from: number): number {
    if (!this.#body.isBetweenEvents) return from
    this.#from = from
    this.#countBefore = this.#decoder.count
    this.#isSkimming = true
    const end = this.#decoder.skim(bytes, from)
    this.#isSkimming = false
    return end
  }
}

function part(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to)
}

/** Where the event ends that has its first line feed after this place, -1 if its end has not come. */
function endOfEvent(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at + 1] === LINE_FEED) return at + 2
    if (bytes[at + 1] === CARRIAGE_RETURN && bytes[at + 2] === LINE_FEED) return at + 3
  }
  return -1
}
