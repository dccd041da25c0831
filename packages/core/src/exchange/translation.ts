import type { ClientDialect, ClientReply } from '../dialects/dialect.ts'
import type { HubError } from '../hub/error.ts'
import type { AnswerState } from '../stream/answer-reader.ts'
import {
  type AnswerCollector,
  collectAnswer,
  translateStream,
  type TranslatorOptions,
  withAnswerNotes,
} from '../stream/translate.ts'

/** An answer on its way to the client, in pieces or as one body. */
export interface Translation extends AnswerState {
  readonly contentType: string
  /** What the client is sent now; many words at once are bytes. */
  pushRaw(bytes: Uint8Array): string | Uint8Array
  end(): string | Uint8Array
  fail(error: HubError): string | Uint8Array
  /** Its failure is not written to the client: only a broken connection shows it. */
  readonly failsWithoutError?: boolean
  /** What the upstream refused the request with, where its answer goes to the client as it is. */
  readonly refusal?: HubError | undefined
}

const JSON_TYPE = 'application/json'

/** Translates an answer in the way that the client asked for it: as a stream, or whole. */
export function translateAnswer(options: TranslatorOptions): Translation {
  const { client, clientReply } = options
  if (clientReply.stream === undefined)
    return new WholeTranslation(collectAnswer(options), client, clientReply)
  return Object.assign(translateStream(options), { contentType: clientReply.stream.contentType })
}

class WholeTranslation implements Translation {
  readonly contentType = JSON_TYPE
  readonly #answer: AnswerCollector
  readonly #client: ClientDialect
  readonly #reply: ClientReply
  #taken = false

  constructor(answer: AnswerCollector, client: ClientDialect, reply: ClientReply) {
    this.#answer = answer
    this.#client = client
    this.#reply = reply
  }

  pushRaw(bytes: Uint8Array): string {
    this.#answer.push(bytes)
    return this.#take()
  }

  end(): string {
    this.#answer.end()
    return this.#take()
  }

  fail(error: HubError): string {
    this.#answer.fail(error)
    return ''
  }

  get ended(): boolean {
    return this.#answer.ended
  }

  get started(): boolean {
    return false
  }

  get finished(): boolean {
    return this.#answer.finished
  }

  get failure(): HubError | undefined {
    return this.#answer.failure
  }

  get summary(): AnswerState['summary'] {
    return this.#answer.summary
  }

  get notes(): AnswerState['notes'] {
    return withAnswerNotes(this.#answer.notes, this.#reply)
  }

  #take(): string {
    const { message } = this.#answer
    if (message === undefined || this.#taken) return ''
    this.#taken = true
    return JSON.stringify(this.#client.encodeResponse(message, this.#reply))
  }
}
