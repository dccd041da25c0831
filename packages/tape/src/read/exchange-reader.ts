import { Buffer } from 'node:buffer'
import type { HubUsage, Note } from '@hydra/core'
import type { ExchangeEnd, Leg, TapeData, TapedHeaders, TapeLine, Via } from '../format/lines.ts'
import type {
  Moment,
  TapedAnswer,
  TapedCall,
  TapedChunk,
  TapedExchange,
  TapedRequest,
} from '../format/tape.ts'
import type { BlobReader } from './blob-reader.ts'

/** A line with its place and its absolute time. */
export interface PlacedLine {
  readonly event: TapeLine
  readonly at: number
  readonly line: number
}

interface OpenAnswer {
  status: number | undefined
  headers: TapedHeaders
  at: number | undefined
  readonly chunks: TapedChunk[]
  ended: TapedAnswer['ended']
}

interface OpenCall {
  readonly request: TapedRequest
  readonly via: Via | undefined
  readonly answer: OpenAnswer
}

/** Puts one exchange together from its lines. */
export class ExchangeReader {
  readonly #number: number
  readonly #blobs: BlobReader
  readonly #tell: (line: number, reason: string) => void
  readonly #calls: OpenCall[] = []
  readonly #answer = openAnswer()
  readonly #notes: Note[] = []
  readonly #moments: Moment[] = []
  #request: TapedRequest | undefined
  #usage: HubUsage | undefined
  #end: ExchangeEnd | undefined

  constructor(number: number, blobs: BlobReader, tell: (line: number, reason: string) => void) {
    this.#number = number
    this.#blobs = blobs
    this.#tell = tell
  }

  take({ event, at, line }: PlacedLine): void {
    const [, , , leg, type, data] = event
    if (this.#end !== undefined) this.#tell(line, `exchange ${this.#number} was already over`)
    this.#moments.push({ at, leg, line, event })
    if (type === 'req') this.#takeRequest(leg, data, { at, line })
    else if (type === 'res' || type === 'd' || (type === 'end' && leg !== ''))
      this.#takeAnswer({ event, at, line })
    else if (type === 'end') this.#end = data ?? undefined
    else this.#takeEvent(event)
  }

  get exchange(): TapedExchange {
    return {
      number: this.#number,
      request: this.#request,
      calls: this.#calls satisfies TapedCall[],
      answer: this.#answer,
      notes: this.#notes,
      usage: this.#usage,
      moments: this.#moments,
      end: this.#end,
    }
  }

  #takeRequest(leg: Leg, data: TapeData['req'], { at, line }: { at: number; line: number }): void {
    const { method, path, headers, body = '', dialect, via } = data
    const pieces = this.#blobs.pieces(body, (reason) => this.#tell(line, reason))
    const head = { method, path, headers, at, ...(dialect !== undefined && { dialect }) }
    const request = withBody(head, pieces)
    if (leg === '>u') this.#calls.push({ request, via, answer: openAnswer() })
    else if (this.#request === undefined) this.#request = request
    else this.#tell(line, `exchange ${this.#number} already has a request of the client; this one is skipped`)
  }

  #takeAnswer({ event, at, line }: PlacedLine): void {
    const [, , , leg, type, data] = event
    const answer = leg === '>c' ? this.#answer : this.#calls.at(-1)?.answer
    if (answer === undefined)
      return this.#tell(line, 'an answer of an upstream that was not called; it is skipped')
    if (answer.ended === 'clean') this.#tell(line, `the leg ${leg} had already ended`)
    if (type === 'end') answer.ended = 'clean'
    else if (type === 'res') this.#takeHead(answer, data, { at, line })
    else if (type === 'd') {
      if (answer.status === undefined) this.#tell(line, `a piece of the leg ${leg} before its head`)
      answer.chunks.push({ at, bytes: join(this.#blobs.pieces(data, (reason) => this.#tell(line, reason))) })
      answer.ended = 'open'
    }
  }

  #takeHead(
    answer: OpenAnswer,
    { status, headers }: TapeData['res'],
    place: { at: number; line: number },
  ): void {
    if (answer.status !== undefined)
      return this.#tell(place.line, 'a second head of an answer; it is skipped')
    answer.status = status
    answer.headers = headers
    answer.at = place.at
  }

  #takeEvent([, , , , type, data]: TapeLine): void {
    if (type === 'note') this.#notes.push(data)
    if (type === 'usage') this.#usage = data
    if (type === 'timeout') this.#giveUp('timeout', this.#calls.at(-1)?.answer)
    if (type !== 'abort') return
    if (data.by !== 'upstream') this.#giveUp('aborted', this.#answer)
    this.#giveUp('aborted', this.#calls.at(-1)?.answer)
  }

  /** Giving up ends what had not ended; what still comes on a leg opens it again. */
  #giveUp(how: 'aborted' | 'timeout', answer: OpenAnswer | undefined): void {
    if (answer?.ended === 'open') answer.ended = how
  }
}

function openAnswer(): OpenAnswer {
  return { status: undefined, headers: {}, at: undefined, chunks: [], ended: 'open' }
}

/** Histories are sent again and again: their bodies are put together on demand. */
function withBody(head: Omit<TapedRequest, 'body'>, pieces: readonly Buffer[]): TapedRequest {
  let body: Uint8Array | undefined
  return {
    ...head,
    get body() {
      body ??= join(pieces)
      return body
    },
  }
}

function join(pieces: readonly Buffer[]): Uint8Array {
  const [first] = pieces
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
}
