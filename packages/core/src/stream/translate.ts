import type { ClientDialect, ClientReply, StreamEncoder } from '../dialects/dialect.ts'
import type { HubError } from '../hub/error.ts'
import type { HubResponse } from '../hub/message.ts'
import type { Note } from '../hub/note.ts'
import type { MessageSink } from '../hub/sink.ts'
import { type AnswerOptions, AnswerReader, type AnswerState } from './answer-reader.ts'
import type { AnswerSummary } from './block-writer.ts'
import { asText } from '../sse/as-text.ts'
import { boundedSink } from '../fast-text/bounded-escaped-sink.ts'
import { MAX_KEPT_LENGTH } from './bounded-sink.ts'
import { Collector } from './collect.ts'

/** Turns an upstream's bytes into a client's bytes: synchronous, and nothing is ever thrown out of it. */
export interface StreamTranslator extends AnswerState {
  /** What the client is sent now, '' if nothing. */
  push(bytes: Uint8Array): string
  /** The same without a conversion: many words at once come as bytes, and are never made into a string. */
  pushRaw(bytes: Uint8Array): string | Uint8Array
  /** The upstream closed: the closing events, or the error event of a cut stream. */
  end(): string
  /** The call broke: the error event. */
  fail(error: HubError): string
}

/** What is needed to gather an answer. */
export interface CollectorOptions extends AnswerOptions {
  /** How much of an answer may be kept until it is whole, in characters; an answer that is longer fails with 502. */
  readonly maxKeptLength?: number
}

/** What a translation needs: the two dialects, what the request said, and an id for the message. */
export interface TranslatorOptions extends CollectorOptions {
  readonly client: ClientDialect
  /** What the client's request said of its answer. */
  readonly clientReply: ClientReply
}

/** Creates the translator of one answer. */
export function translateStream(options: TranslatorOptions): StreamTranslator {
  return new Translator(options)
}

/** An answer that is gathered until it is whole, for clients that did not ask for a stream. */
export interface AnswerCollector extends AnswerState {
  push(bytes: Uint8Array): void
  end(): void
  fail(error: HubError): void
  /** The message, once it has ended well. */
  readonly message: HubResponse | undefined
}

/** Creates the collector of one answer; the upstream may stream it or send it in one body. */
export function collectAnswer(options: CollectorOptions): AnswerCollector {
  return new CollectingReader(options, new Collector())
}

class CollectingReader extends AnswerReader implements AnswerCollector {
  readonly #collector: Collector

  constructor(options: CollectorOptions, collector: Collector) {
    super(options, bounded(collector, options))
    this.#collector = collector
  }

  get message(): HubResponse | undefined {
    return this.#collector.message
  }
}

class Translator implements StreamTranslator {
  readonly #encoder: StreamEncoder
  readonly #reader: AnswerReader
  readonly #clientReply: ClientReply

  constructor(options: TranslatorOptions) {
    this.#clientReply = options.clientReply
    this.#encoder = options.client.encodeStream(options.clientReply)
    // Where nothing is kept, an answer may go on for as long as its client reads it.
    const isKept = options.clientReply.stream?.keepsAnswer === true
    this.#reader = new AnswerReader(options, isKept ? bounded(this.#encoder, options) : this.#encoder)
  }

  push(bytes: Uint8Array): string {
    return asText(this.pushRaw(bytes))
  }

  pushRaw(bytes: Uint8Array): string | Uint8Array {
    this.#reader.push(bytes)
    return this.#encoder.take()
  }

  end(): string {
    this.#reader.end()
    return asText(this.#encoder.take())
  }

  fail(error: HubError): string {
    this.#reader.fail(error)
    return asText(this.#encoder.take())
  }

  get ended(): boolean {
    return this.#reader.ended
  }

  get started(): boolean {
    return this.#reader.started
  }

  get finished(): boolean {
    return this.#reader.finished
  }

  get failure(): HubError | undefined {
    return this.#reader.failure
  }

  get summary(): AnswerSummary {
    return this.#reader.summary
  }

  get notes(): readonly Note[] {
    return withAnswerNotes(this.#reader.notes, this.#clientReply)
  }
}

function bounded(sink: MessageSink, { maxKeptLength = MAX_KEPT_LENGTH }: CollectorOptions): MessageSink {
  return boundedSink(sink, maxKeptLength)
}

/** The notes of an answer's decoder with those of its encoder. */
export function withAnswerNotes(notes: readonly Note[], { answerNotes }: ClientReply): readonly Note[] {
  return answerNotes === undefined || answerNotes.count === 0 ? notes : [...notes, ...answerNotes.list]
}
