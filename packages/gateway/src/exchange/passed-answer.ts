import {
  type AnswerSummary,
  type Hide,
  type HubError,
  isEncoded,
  type Note,
  type Translation,
  type UpstreamDialect,
} from '@hydra/core'
import { ErrorText } from '../upstream/error-text.ts'
import type { UpstreamAnswer } from '../upstream/transport.ts'

const NOTHING: AnswerSummary = {
  toolCalls: 0,
  usage: undefined,
  stopReason: undefined,
  isEstimated: false,
  outputEstimate: 0,
}

/** An answer that is not read here: an error, which is the client's to see as it is, or one that is encoded. */
export class PassedAnswer implements Translation {
  readonly #answer: UpstreamAnswer
  readonly #dialect: UpstreamDialect
  readonly #hide: Hide
  readonly #text = new ErrorText()
  readonly notes: readonly Note[] = []
  readonly summary: AnswerSummary = NOTHING
  readonly failsWithoutError = true
  started = false
  ended = false
  failure: HubError | undefined

  constructor(answer: UpstreamAnswer, dialect: UpstreamDialect, hide: Hide) {
    this.#hide = hide
    this.#answer = answer
    this.#dialect = dialect
  }

  get contentType(): string {
    return this.#answer.headers['content-type'] ?? ''
  }

  pushRaw(bytes: Uint8Array): Uint8Array {
    this.started = true
    if (this.#answer.status >= 400 && !isEncoded(this.#answer.headers)) this.#text.push(bytes)
    return bytes
  }

  end(): string {
    this.ended = true
    return ''
  }

  /** The bytes are the upstream's own, so its cut stays a cut. */
  fail(error: HubError): string {
    this.ended = true
    this.failure = error
    return ''
  }

  get finished(): boolean {
    return this.ended && this.failure === undefined
  }

  get refusal(): HubError | undefined {
    const { status, headers } = this.#answer
    if (status < 400) return undefined
    return this.#dialect.decodeError({ status, headers, body: this.#text.text }).hiding(this.#hide)
  }
}
