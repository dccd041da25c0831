import type {
  BodyReader,
  ReadProgress,
  ReplyContext,
  StreamDecoder,
  UpstreamDialect,
} from '../dialects/dialect.ts'
import { type Hide, type HubError, toHubError } from '../hub/error.ts'
import { type Note, Notes } from '../hub/note.ts'
import type { MessageSink } from '../hub/sink.ts'
import { usageOf } from '../hub/usage.ts'
import { type AnswerSummary, BlockWriter } from './block-writer.ts'
import { UpstreamBody } from './upstream-body.ts'

/** What is needed to read an answer: its dialect, what the request said, an id, and who listens. */
export interface AnswerOptions {
  readonly upstream: UpstreamDialect
  readonly reply: ReplyContext
  readonly messageId: string
  /** About how many tokens the prompt has, for upstreams that never report usage. */
  readonly inputEstimate?: number
  /** Takes secrets out of the upstream's words, where errors and notes repeat them. */
  readonly hide?: Hide | undefined
}

/** How far an answer has come. */
export interface AnswerState {
  /** The message is over; the upstream is no longer needed. */
  readonly ended: boolean
  /** The message has begun. Before that, `failure` can still become an HTTP status. */
  readonly started: boolean
  /** The upstream has said that it is finished: if it stays silent now, `end()` closes cleanly. */
  readonly finished: boolean
  /** What the message ended with, if it was an error. */
  readonly failure: HubError | undefined
  /** What the message came to, for a log. */
  readonly summary: AnswerSummary
  readonly notes: readonly Note[]
}

/** Reads an upstream's answer and writes it to a sink: synchronous, and nothing is ever thrown out of it. */
export class AnswerReader implements AnswerState {
  readonly #writer: BlockWriter
  readonly #decoder: StreamDecoder
  readonly #body: BodyReader
  readonly #notes: Notes
  readonly #hide: Hide | undefined

  constructor(options: AnswerOptions, sink: MessageSink) {
    const { upstream, reply, messageId, inputEstimate = 1, hide } = options
    this.#hide = hide
    this.#notes = new Notes(hide)
    this.#writer = new BlockWriter({
      sink,
      head: { id: messageId, model: reply.model, usage: usageOf({}) },
      stopSequences: reply.ownStopSequences,
      inputEstimate,
      hide,
    })
    const context = { messageId, reply, writer: this.#writer, notes: this.#notes }
    this.#decoder = upstream.decodeStream(context)
    const decodeWhole = (body: unknown): void => upstream.decodeResponse(body, context)
    this.#body =
      upstream.decodeBody?.(this.#decoder, decodeWhole) ?? new UpstreamBody(this.#decoder, decodeWhole)
  }

  push(bytes: Uint8Array): void {
    if (this.#writer.ended) return
    try {
      this.#body.push(bytes)
    } catch (thrown) {
      this.fail(toHubError(thrown))
    }
  }

  /** The upstream closed: whether that was an end or a cut is reported to the sink. */
  end(): void {
    if (this.#writer.ended) return
    try {
      this.#body.end()
    } catch (thrown) {
      this.fail(toHubError(thrown))
    }
  }

  /** The call broke. */
  fail(error: HubError): void {
    this.#writer.fail(this.#hide === undefined ? error : error.hiding(this.#hide))
  }

  /** How far the bytes of the last push were read. */
  get progress(): ReadProgress | undefined {
    return this.#body.progress
  }

  get ended(): boolean {
    return this.#writer.ended
  }

  get started(): boolean {
    return this.#writer.started
  }

  get finished(): boolean {
    return this.#decoder.finished
  }

  get failure(): HubError | undefined {
    return this.#writer.failure
  }

  get summary(): AnswerSummary {
    return this.#writer.summary
  }

  get notes(): readonly Note[] {
    return this.#notes.list
  }
}
