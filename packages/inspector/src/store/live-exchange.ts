import type { HubUsage, Note } from '@hydra/core'
import type { ExchangeReport, ExchangeTape, RecordedRequest, RecordedVia } from '@hydra/gateway'
import { ChunkLog } from './chunk-log.ts'
import { KeptBytes, type Span } from './kept-bytes.ts'
import type { RoomPool } from './room-pool.ts'

type Headers = RecordedRequest['headers']

/** A request as it came. */
export interface LiveRequest {
  readonly at: number
  readonly head: RecordedRequest
  /** Where its body lies among the bytes of its exchange. */
  readonly body: Span
}

/** An answer as far as it has come. */
export class LiveAnswer {
  status: number | undefined
  headers: Headers = {}
  at: number | undefined
  ended: 'clean' | 'aborted' | 'timeout' | 'open' = 'open'
  readonly log: ChunkLog

  constructor(bytes: KeptBytes) {
    this.log = new ChunkLog(bytes)
  }
}

/** A call of an upstream, with its answer. */
export interface LiveCall extends LiveRequest {
  readonly via: RecordedVia
  readonly answer: LiveAnswer
}

/** Something that happened beside requests and answers. */
export type LiveEvent =
  | {
      readonly at: number
      readonly type: 'abort'
      readonly by: 'client' | 'upstream' | 'proxy'
      readonly reason?: string
    }
  | { readonly at: number; readonly type: 'timeout'; readonly reason: string }
  | { readonly at: number; readonly type: 'retry'; readonly reason: string; readonly pause: number }

/** What only the report of an exchange says, and the page shows. */
export type ReportedFacts = Pick<ExchangeReport, 'clientModel' | 'route' | 'keys'>

/** Follows the changes of exchanges. */
export interface ExchangeListener {
  changed(exchange: LiveExchange): void
}

/** The place of an exchange among others, and where its bytes are kept. */
export interface ExchangePlace {
  readonly id: string
  /** Its number within its session. */
  readonly number: number
  /** When it began, if that is not now. */
  readonly begun?: number | undefined
  readonly room: { readonly pool: RoomPool; readonly limit: number }
}

/** What objects of an exchange take beside its bytes, roughly. */
const OVERHEAD = 4096

const NOT_KEPT: Note = {
  code: 'not_kept',
  path: '',
  message: 'the exchange is larger than what the inspector keeps of one, so only its beginning is shown',
}

/** One exchange as it happens. Nothing is parsed here: that is done when somebody looks. */
export class LiveExchange implements ExchangeTape {
  readonly id: string
  readonly number: number
  /** Microseconds since the epoch. */
  readonly begun: number
  readonly #now: () => number
  readonly #listener: ExchangeListener
  request: LiveRequest | undefined
  readonly calls: LiveCall[] = []
  readonly answer: LiveAnswer
  readonly events: LiveEvent[] = []
  readonly notes: Note[] = []
  counted: HubUsage | undefined
  reported: ReportedFacts | undefined
  cost: ExchangeReport['cost']
  outcome: ExchangeReport['outcome'] | undefined
  over: number | undefined
  /** Grows with everything that happens. */
  version = 0
  readonly #bytes: KeptBytes
  /** When the piece was read whose consequences are being written; 0 if there is none, for a number takes no memory. */
  #readAt = 0

  constructor(place: ExchangePlace, now: () => number, listener: ExchangeListener) {
    this.id = place.id
    this.number = place.number
    this.#now = now
    this.#listener = listener
    this.begun = place.begun ?? now()
    this.#bytes = new KeptBytes(place.room.pool, { limit: place.room.limit, begun: this.begun })
    this.#bytes.charge(OVERHEAD)
    this.answer = new LiveAnswer(this.#bytes)
  }

  /** What is held in memory, in bytes. */
  get size(): number {
    return this.#bytes.size
  }

  /** Keeps the body of a request. */
  keep(body: string | Uint8Array): Span {
    return this.#bytes.body(body)
  }

  /** Makes room for the answer to a call. */
  newAnswer(): LiveAnswer {
    return new LiveAnswer(this.#bytes)
  }

  /** The body of a request. */
  bodyOf({ body }: LiveRequest): Uint8Array {
    return this.#bytes.read(body)
  }

  /** Gives its memory back; from now on nothing of it is kept. */
  forget(): void {
    this.#bytes.drop()
  }

  clientRequest(head: RecordedRequest, body: string | Uint8Array): void {
    this.request = { at: this.#now(), head, body: this.keep(body) }
    this.touched()
  }

  upstreamRequest(head: RecordedRequest, body: string | Uint8Array, via: RecordedVia): void {
    this.calls.push({ at: this.#now(), head, body: this.keep(body), via, answer: this.newAnswer() })
    this.touched()
  }

  upstreamHead(status: number, headers: Headers): void {
    headOf(this.calls.at(-1)?.answer, { status, headers, at: this.#now() })
    this.touched()
  }

  upstreamData(bytes: Uint8Array): void {
    const at = this.#now()
    this.#readAt = at
    this.calls.at(-1)?.answer.log.add(at, bytes)
    this.version += 1
  }

  upstreamHandled(): void {
    this.#readAt = 0
  }

  upstreamEnd(): void {
    endAnswer(this.calls.at(-1)?.answer, 'clean')
  }

  clientHead(status: number, headers: Headers): void {
    // A head that is sent because of a piece is not later than what is sent of that piece.
    headOf(this.answer, { status, headers, at: this.#readAt || this.#now() })
    this.touched()
  }

  clientData(piece: string | Uint8Array): void {
    // To ask for the time costs as much as to keep the piece.
    this.answer.log.add(this.#readAt || this.#now(), piece)
    this.version += 1
    this.#listener.changed(this)
  }

  clientEnd(): void {
    endAnswer(this.answer, 'clean')
  }

  abort(by: 'client' | 'upstream' | 'proxy', reason?: string): void {
    if (by !== 'upstream') endAnswer(this.answer, 'aborted')
    endAnswer(this.calls.at(-1)?.answer, 'aborted')
    this.events.push({ at: this.#now(), type: 'abort', by, ...(reason !== undefined && { reason }) })
    this.touched()
  }

  timeout(reason: string): void {
    endAnswer(this.calls.at(-1)?.answer, 'timeout')
    this.events.push({ at: this.#now(), type: 'timeout', reason })
    this.touched()
  }

  retry(reason: string, pause: number): void {
    this.events.push({ at: this.#now(), type: 'retry', reason, pause })
    this.touched()
  }

  note(note: Note): void {
    this.notes.push(note)
  }

  usage(usage: HubUsage): void {
    this.counted = usage
  }

  report({ clientModel, route, keys }: ExchangeReport): void {
    this.reported = { clientModel, route, keys }
  }

  done(outcome: ExchangeReport['outcome'], cost?: ExchangeReport['cost']): void {
    if (this.outcome !== undefined) return
    this.cost = cost
    this.outcome = outcome
    this.over = this.#now()
    if (this.#bytes.isFull) this.notes.push(NOT_KEPT)
    this.touched()
  }

  /** Reports a change to the listener. */
  touched(): void {
    this.version += 1
    this.#listener.changed(this)
  }
}

function headOf(
  answer: LiveAnswer | undefined,
  { status, headers, at }: { readonly status: number; readonly headers: Headers; readonly at: number },
): void {
  if (answer === undefined) return
  answer.status = status
  answer.headers = headers
  answer.at = at
}

/** What ended stays as it ended first. */
function endAnswer(answer: LiveAnswer | undefined, how: LiveAnswer['ended']): void {
  if (answer?.ended === 'open') answer.ended = how
}
