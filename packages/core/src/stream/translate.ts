import type {
  ClientDialect,
  ReplyContext,
  StreamDecoder,
  StreamEncoder,
  UpstreamDialect,
} from '../dialects/dialect.ts'
import { type HubError, toHubError } from '../hub/error.ts'
import { type Note, Notes } from '../hub/note.ts'
import { usageOf } from '../hub/usage.ts'
import { UpstreamBody } from './upstream-body.ts'
import { BlockWriter } from './block-writer.ts'

/** Turns an upstream's bytes into a client's bytes: synchronous, and nothing is ever thrown out of it. */
export interface StreamTranslator {
  /** What the client is sent now, '' if nothing. */
  push(bytes: Uint8Array): string
  /** The upstream closed: the closing events, or the error event of a cut stream. */
  end(): string
  /** The call broke: the error event. */
  fail(error: HubError): string
  /** The terminal event is out; the upstream is no longer needed. */
  readonly ended: boolean
  /** The message has begun. Before that, `failure` can still become an HTTP status. */
  readonly started: boolean
  /** The upstream has said that it is finished: if it stays silent now, `end()` closes cleanly. */
  readonly finished: boolean
  /** What the message ended with, if it was an error. */
  readonly failure: HubError | undefined
  readonly notes: readonly Note[]
}

/** What a translation needs: the two dialects, what the request said, and an id for the message. */
export interface TranslatorOptions {
  readonly upstream: UpstreamDialect
  readonly client: ClientDialect
  readonly reply: ReplyContext
  readonly messageId: string
}

/** Creates the translator of one answer. */
export function translateStream(options: TranslatorOptions): StreamTranslator {
  return new Translator(options)
}

class Translator implements StreamTranslator {
  readonly #encoder: StreamEncoder
  readonly #writer: BlockWriter
  readonly #decoder: StreamDecoder
  readonly #body: UpstreamBody
  readonly #notes = new Notes()

  constructor({ upstream, client, reply, messageId }: TranslatorOptions) {
    this.#encoder = client.encodeStream()
    const head = { id: messageId, model: reply.model, usage: usageOf({}) }
    this.#writer = new BlockWriter({
      sink: this.#encoder,
      head,
      stopSequences: reply.ownStopSequences,
      estimateInput: reply.estimateInput,
    })
    const context = { messageId, reply, writer: this.#writer, notes: this.#notes }
    this.#decoder = upstream.decodeStream(context)
    this.#body = new UpstreamBody(this.#decoder, (body) => upstream.decodeResponse(body, context))
  }

  push(bytes: Uint8Array): string {
    if (this.#writer.ended) return ''
    try {
      this.#body.push(bytes)
    } catch (thrown) {
      this.#writer.fail(toHubError(thrown))
    }
    return this.#encoder.take()
  }

  end(): string {
    if (this.#writer.ended) return ''
    try {
      this.#body.end()
    } catch (thrown) {
      this.#writer.fail(toHubError(thrown))
    }
    return this.#encoder.take()
  }

  fail(error: HubError): string {
    this.#writer.fail(error)
    return this.#encoder.take()
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

  get notes(): readonly Note[] {
    return this.#notes.list
  }
}
