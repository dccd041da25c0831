import type { ClientDialect, ClientReply } from '../dialects/dialect.ts'
import { SILENT_SINK } from '../fast-text/silent-sink.ts'
import { HubError } from '../hub/error.ts'
import { Notes } from '../hub/note.ts'
import { jsonIn } from '../json/wire.ts'
import { asText } from '../sse/as-text.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { endOfEvent, hasData } from '../sse/event-ends.ts'
import { AnswerReader, type AnswerState } from '../stream/answer-reader.ts'
import { MAX_KEPT_LENGTH } from '../stream/bounded-sink.ts'
import type { TranslatorOptions } from '../stream/translate.ts'
import { AlongReader } from './along-reader.ts'
import { type BodyForm, formOf } from './body-form.ts'
import { ByteQueue } from './byte-queue.ts'
import { failedStream } from './failed-stream.ts'
import { endOfStream } from './last-event.ts'
import type { Translation } from './translation.ts'
import { WholeEvents } from './whole-events.ts'

/** What is needed to pass an answer on. */
export interface RelayOptions extends TranslatorOptions {
  /** What the upstream says that its answer is. */
  readonly contentType?: string | undefined
}

/** At most this much of a stream is held back until its message begins: what comes later is no early failure. */
const MAX_HELD = 64 * 1024

const EVENTS_TYPE = 'text/event-stream'
const JSON_TYPE = 'application/json'
const NOTHING = new Uint8Array(0)

/**
 * Passes an answer on to a client of the upstream's own dialect, byte for byte, while a reader reads along: it tells
 * an end from a cut, and what the answer has cost. Events go out whole, so that an error may follow any of them.
 */
export function relayAnswer(options: RelayOptions): Translation {
  return new RelayedAnswer(options)
}

class RelayedAnswer implements Translation {
  readonly #options: RelayOptions
  readonly #reader: AlongReader
  readonly #client: ClientDialect
  readonly #clientReply: ClientReply
  readonly #contentType: string | undefined
  readonly #maxKept: number
  readonly #notes = new Notes()
  #form: BodyForm = 'unknown'
  /** Events that are complete, while the message has not begun; or a whole answer. */
  readonly #held = new ByteQueue()
  #isReleased = false
  readonly #events = new WholeEvents()
  /** The first and the latest events that the client has, where its dialect makes something of them. */
  #first: Uint8Array = NOTHING
  #latest: Uint8Array = NOTHING
  #isOver = false
  #failure: HubError | undefined
  /** The upstream's own error, which has gone out: what follows may belong to it. */
  #sentError: HubError | undefined
  failsWithoutError = false
  /** The word that ends streams went by, and no reader was there to understand it. */
  #hasStreamEnd = false

  constructor(options: RelayOptions) {
    this.#options = options
    this.#reader = new AlongReader(options)
    this.#client = options.client
    this.#clientReply = options.clientReply
    this.#contentType = options.contentType
    this.#maxKept = options.maxKeptLength ?? MAX_KEPT_LENGTH
  }

  get contentType(): string {
    return this.#contentType ?? (this.#form === 'whole' ? JSON_TYPE : EVENTS_TYPE)
  }

  pushRaw(bytes: Uint8Array): Uint8Array {
    if (this.#isOver) return NOTHING
    if (this.#form === 'unknown') this.#form = formOf(bytes)
    return this.#form === 'events' ? this.#pushEvents(bytes) : this.#keep(bytes)
  }

  end(): Uint8Array {
    if (this.#isOver) return NOTHING
    if (this.#sentError !== undefined) return this.#close(this.#sentError)
    const tail = this.#events.takeRest()
    if (tail.length > 0) this.#reader.push(tail)
    const streamEnd = this.#reader.ended || this.#hasStreamEnd ? undefined : this.#client.streamEnd
    this.#reader.end()
    const { failure } = this.#reader
    if (failure !== undefined && !this.#isUnderstandable(failure)) return this.#break(failure, NOTHING)
    this.#isOver = true
    this.#held.push(this.#form === 'events' ? endOfStream(tail, streamEnd) : tail)
    const rest = this.#held.take()
    this.#client.keepRelayed?.(asText(this.#form === 'whole' ? rest : this.#latest), this.#clientReply)
    return rest
  }

  fail(error: HubError): Uint8Array {
    if (this.#isOver) return NOTHING
    if (this.#sentError !== undefined) return this.#close(this.#sentError)
    // The upstream had said everything, and only its connection was still open.
    if (this.#reader.ended) return this.end()
    this.#reader.fail(error)
    return this.#break(error, NOTHING)
  }

  get ended(): boolean {
    return this.#isOver
  }

  get started(): boolean {
    return this.#isReleased
  }

  get finished(): boolean {
    if (this.#form !== 'events') return this.#isOver && this.#failure === undefined
    if (this.#sentError !== undefined) return true
    return this.#reader.finished || (this.#reader.ended && this.#reader.failure === undefined)
  }

  get failure(): HubError | undefined {
    return this.#failure ?? this.#sentError
  }

  get summary(): AnswerState['summary'] {
    return this.#reader.summary
  }

  /** What the reader leaves out is not left out of the answer, so its notes are not reported. */
  get notes(): AnswerState['notes'] {
    return this.#notes.list
  }

  #keep(bytes: Uint8Array): Uint8Array {
    this.#reader.push(bytes)
    this.#held.push(bytes)
    if (this.#held.length <= this.#maxKept) return NOTHING
    const words = `upstream: the answer is longer than ${this.#maxKept} bytes`
    return this.#break(new HubError('api_error', words, { status: 502 }), NOTHING)
  }

  #pushEvents(bytes: Uint8Array): Uint8Array {
    const events = this.#events.push(bytes)
    if (events.length > 0) return this.#pass(events)
    if (this.#events.waiting <= MAX_EVENT_LENGTH) return NOTHING
    const words = `upstream: an event is longer than ${MAX_EVENT_LENGTH} bytes`
    return this.#break(new HubError('api_error', words, { status: 502 }), NOTHING)
  }

  /** Has whole events read, and lets them go. */
  #pass(events: Uint8Array): Uint8Array {
    if (this.#sentError !== undefined) return this.#passErrors(this.#sentError, events, 0)
    this.#reader.push(events)
    const { failure, started, ended, unread } = this.#reader
    if (unread !== undefined) {
      this.#noteUnread(unread)
      this.#hasStreamEnd = endsWith(events, this.#client.streamEnd)
    }
    if (failure !== undefined) return this.#fault(failure, events)
    this.#remember(events)
    if (this.#isReleased) return events
    this.#held.push(events)
    if (!started && !ended && this.#held.length <= MAX_HELD) return NOTHING
    this.#isReleased = true
    return this.#held.take()
  }

  #remember(events: Uint8Array): void {
    const isWanted = 'keepRelayed' in this.#client || 'failRelayed' in this.#client
    if (events.length === 0 || !isWanted) return
    if (this.#first.length === 0) this.#first = events
    this.#latest = events
  }

  /** One of these events says that the upstream has failed, or shows it. */
  #fault(failure: HubError, events: Uint8Array): Uint8Array {
    const { started, isStray, fault } = this.#reader
    // Clients ignore what is outside of events.
    const isHeard =
      failure.isUpstreams && started && !isStray && this.#isOpen(events.subarray(fault.begin, fault.end))
    if (!isHeard) return this.#break(failure, events.subarray(0, fault.begin))
    this.#isReleased = true
    this.#sentError = failure
    this.#held.push(this.#passErrors(failure, events, fault.end))
    return this.#held.take()
  }

  /** Whether an error quotes no secret: else it is replaced by a message of ours, without it. */
  #isOpen(event: Uint8Array): boolean {
    const { hide } = this.#options
    const text = hide === undefined ? '' : asText(event)
    return hide === undefined || hide(text) === text
  }

  /** Behind an error nothing goes out but what says the same: some upstreams report it in two events. */
  #passErrors(sent: HubError, events: Uint8Array, from: number): Uint8Array {
    let at = from
    while (at < events.length) {
      const end = endOfEvent(events, at)
      if (!this.#isError(events.subarray(at, end))) {
        this.#close(sent)
        break
      }
      at = end
    }
    return events.subarray(0, at)
  }

  #isError(event: Uint8Array): boolean {
    if (!hasData(event)) return true
    const reader = new AnswerReader(this.#options, SILENT_SINK)
    reader.push(event)
    return reader.failure?.isUpstreams === true
  }

  /** The answer is over, and its error has gone out. */
  #close(sent: HubError): Uint8Array {
    this.#isOver = true
    this.#failure = sent
    return NOTHING
  }

  /** Ends the answer with an error of ours behind these events. */
  #break(failure: HubError, events: Uint8Array): Uint8Array {
    this.#isOver = true
    this.#failure = failure
    if (this.#form !== 'events') {
      this.#held.take()
      return NOTHING
    }
    this.#remember(events)
    this.#held.push(events)
    this.#held.push(this.#errorEvent(failure))
    return this.#held.take()
  }

  /** Of a request that was not read too little is known for some encoders: the answer then just breaks off. */
  #errorEvent(failure: HubError): Uint8Array {
    try {
      const known = { first: asText(this.#first), latest: asText(this.#latest) }
      const event =
        this.#client.failRelayed?.(failure, known, this.#clientReply) ??
        failedStream(failure, this.#client, this.#clientReply)
      return new TextEncoder().encode(event)
    } catch {
      this.failsWithoutError = true
      return NOTHING
    }
  }

  /** A whole answer that is complete JSON is the client's to understand, also where our reader does not. */
  #isUnderstandable(failure: HubError): boolean {
    if (failure.endsAnswer) return true
    const isBroken = failure.cause instanceof SyntaxError || failure.isUpstreams
    if (this.#form !== 'whole' || isBroken) return false
    // The reader gives up on a long answer before its end, and does not see whether it was cut off.
    if (jsonIn(asText(this.#held.all()).trim()) === undefined) return false
    this.#noteUnread(failure)
    return true
  }

  #noteUnread({ message }: HubError): void {
    this.#notes.addOnce('answer_unread', '', `the answer is passed on, but not understood here: ${message}`)
  }
}

function endsWith(events: Uint8Array, end: Uint8Array | undefined): boolean {
  if (end === undefined) return false
  return asText(events.subarray(-2 * end.length))
    .trimEnd()
    .endsWith(asText(end).trim())
}
