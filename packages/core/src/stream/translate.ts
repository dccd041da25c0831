import type { ClientDialect, ClientReply, StreamEncoder } from '../dialects/dialect.ts'
import type { HubError } from '../hub/error.ts'
import type { HubResponse } from '../hub/message.ts'
import type { Note } from '../hub/note.ts'
import { type AnswerOptions, AnswerReader, type AnswerState } from './answer-reader.ts'
import type { AnswerSummary } from './block-writer.ts'
import { Collector } from './collect.ts'

/** Turns an upstream's bytes into a client's bytes: synchronous, and nothing is ever thrown out of it. */
export interface StreamTranslator extends AnswerState {
  /** What the client is sent now, '' if nothing. */
  push(bytes: Uint8Array): string
  /** The same for whoever sends it on: many words at once come as bytes, and are never made into a string. */
  pushRaw(bytes: Uint8Array): string | Uint8Array
  /** The upstream closed: the closing events, or the error event of a cut stream. */
  end(): string
  /** The call broke: the error event. */
  fail(error: HubError): string
}

/** What a translation needs: the two dialects, what the request said, and an id for the message. */
export interface TranslatorOptions extends AnswerOptions {
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
export function collectAnswer(options: AnswerOptions): AnswerCollector {
  return new CollectingReader(options, new Collector())
}

class CollectingReader extends AnswerReader implements AnswerCollector {
  readonly #collector: Collector

  constructor(options: AnswerOptions, collector: Collector) {
    super(options, collector)
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
    this.#reader = new AnswerReader(options, this.#encoder)
  }

  push(bytes: Uint8Array): string {
    this.#reader.push(bytes)
    return this.#encoder.take()
  }

  pushRaw(bytes: Uint8Array): string | Uint8Array {
    this.#reader.push(bytes)
    return this.#encoder.takeRaw()
  }

  end(): string {
    this.#reader.end()
    return this.#encoder.take()
  }

  fail(error: HubError): string {
    this.#reader.fail(error)
    return this.#encoder.take()
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

/** The notes of an answer's decoder with those of its encoder. */
export function withAnswerNotes(notes: readonly Note[], { answerNotes }: ClientReply): readonly Note[] {
  return answerNotes === undefined || answerNotes.count === 0 ? notes : [...notes, ...answerNotes.list]
}
