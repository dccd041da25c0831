import { AnswerReader, type AnswerSummary, type HubError, type MessageSink, plainReply } from '@hydra/core'
import { dialectOf } from '../context.ts'
import { type Presented, presentedKeys } from '../guard.ts'
import type { Upstream } from '../options.ts'
import { Secret } from '../secret.ts'
import { ErrorText } from '../upstream/error-text.ts'
import { withoutKey } from '../upstream/failure.ts'
import { isEncoded } from '../upstream/open-answer.ts'
import type { UpstreamAnswer } from '../upstream/transport.ts'

/** What is needed to understand an answer that is passed on. */
export interface PassedOptions {
  readonly upstream: Upstream
  readonly model: string
  readonly messageId: string
  /** The client's request, whose keys must not turn up in a report. */
  readonly presented: Presented
}

/** Reads along in an answer that is passed on, for the report alone: nothing it finds changes the answer. */
export class PassedAnswer {
  readonly #answer: UpstreamAnswer
  readonly #options: PassedOptions
  readonly #reader: AnswerReader
  readonly #errorText: ErrorText | undefined
  readonly #isReadable: boolean

  constructor(answer: UpstreamAnswer, options: PassedOptions) {
    const { upstream, model, messageId } = options
    const reply = plainReply(model, upstream.profile)
    this.#answer = answer
    this.#options = options
    this.#reader = new AnswerReader({ upstream: dialectOf(upstream), reply, messageId }, SILENT)
    this.#errorText = answer.status < 400 ? undefined : new ErrorText()
    this.#isReadable = !isEncoded(answer.headers)
  }

  push(bytes: Uint8Array): void {
    if (this.#isReadable) (this.#errorText ?? this.#reader).push(bytes)
  }

  /** The answer is complete: one that came in one piece is understood only now. */
  end(): void {
    if (this.#isReadable && this.#errorText === undefined) this.#reader.end()
  }

  get summary(): AnswerSummary {
    return this.#reader.summary
  }

  /** What the upstream says about an error that it answered with. */
  get error(): HubError | undefined {
    if (this.#errorText === undefined) return undefined
    const { status, headers } = this.#answer
    const { upstream, presented } = this.#options
    const error = dialectOf(upstream).decodeError({ status, headers, body: this.#errorText.text })
    return presentedKeys(presented).reduce((hidden, key) => withoutKey(hidden, new Secret(key)), error)
  }
}

const SILENT: MessageSink = {
  messageStart() {},
  blockStart() {},
  text() {},
  thinking() {},
  signature() {},
  inputJson() {},
  extra() {},
  blockStop() {},
  messageStop() {},
  error() {},
}
