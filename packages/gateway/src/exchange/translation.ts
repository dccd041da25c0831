import {
  type AnswerCollector,
  type AnswerOptions,
  type AnswerState,
  type ClientDialect,
  collectAnswer,
  type HubError,
  translateStream,
} from '@hydra/core'

/** An answer on its way to the client, in pieces or as one body. */
export interface Translation extends AnswerState {
  readonly contentType: string
  /** What the client is sent now; many words at once are bytes. */
  pushRaw(bytes: Uint8Array): string | Uint8Array
  end(): string
  fail(error: HubError): string
}

/** The translation of an answer that the client wants as a stream. */
export function streamedTranslation(options: AnswerOptions, client: ClientDialect): Translation {
  const translator = translateStream({ ...options, client })
  return Object.assign(translator, { contentType: 'text/event-stream; charset=utf-8' })
}

/** The translation of an answer that the client wants whole. */
export function wholeTranslation(options: AnswerOptions, client: ClientDialect): Translation {
  return new WholeTranslation(collectAnswer(options), client)
}

class WholeTranslation implements Translation {
  readonly contentType = 'application/json'
  readonly #answer: AnswerCollector
  readonly #client: ClientDialect
  #taken = false

  constructor(answer: AnswerCollector, client: ClientDialect) {
    this.#answer = answer
    this.#client = client
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
    return this.#answer.notes
  }

  #take(): string {
    const { message } = this.#answer
    if (message === undefined || this.#taken) return ''
    this.#taken = true
    return JSON.stringify(this.#client.encodeResponse(message))
  }
}
