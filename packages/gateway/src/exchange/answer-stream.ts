import { type ClientDialect, HubError, type Translation } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Timeouts } from '../options.ts'
import { connectionError } from '../upstream/failure.ts'
import type { Observed } from '../observe/observed.ts'
import type { BodyListener, UpstreamAnswer } from '../upstream/transport.ts'
import { NOWHERE, type Watched } from '../watchdog.ts'
import { type EarlyHead, streamHeaders } from './early-head.ts'
import type { WatchedAnswer } from './client-watch.ts'
import type { Responder } from './exchange.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'

/** What an answer's way to the client runs through. */
export interface AnswerStreamOptions<Native> {
  readonly answer: UpstreamAnswer
  readonly translation: Translation
  readonly client: ClientDialect
  /** What the client is sent when there is nothing to say; without it, nothing is sent. */
  readonly keepAlive: string | undefined
  /** Whether the client must be shown by a broken connection that an answer has failed. */
  readonly breaksWhenFailed?: boolean | undefined
  /** Sends the head early to clients with a short header timeout. */
  readonly early: EarlyHead<Native> | undefined
  readonly reply: Responder
  readonly reporter: ExchangeReporter<Native>
  readonly context: GatewayContext<Native>
  readonly timeouts: Timeouts
  /** The upstream's name, for messages. */
  readonly upstream: string
  /** The head of an answer that goes to the client with its own; else it is one of ours. */
  readonly head?: AnswerHead
}

/** The status and headers of an answer. */
interface AnswerHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Carries one answer from the upstream to the client: one write per read, paused while the client is slow.
 * The status goes out with the first event, so an answer that fails before it can still be had from somewhere else.
 */
export class AnswerStream<Native> implements BodyListener, WatchedAnswer, Watched {
  readonly #answer: UpstreamAnswer
  readonly #translation: Translation
  readonly #client: ClientDialect
  readonly #breaksWhenFailed: boolean
  readonly #keepAlive: string | undefined
  readonly #early: EarlyHead<Native> | undefined
  readonly #reply: Responder
  readonly #reporter: ExchangeReporter<Native>
  /** The observers of every read, if there are any. */
  readonly #observed: Observed | undefined
  readonly #context: GatewayContext<Native>
  readonly #timeouts: Timeouts
  readonly #upstream: string
  readonly #head: AnswerHead | undefined
  #begun: () => void = () => {}
  #failed: (error: HubError) => void = () => {}
  #headSent = false
  #hasRead = false
  #isPaused = false
  /** The client has everything; only the upstream's connection is still to be closed. */
  #isDone = false
  #lastRead: number
  #lastWrite: number
  place: number = NOWHERE

  constructor(options: AnswerStreamOptions<Native>) {
    this.#answer = options.answer
    this.#translation = options.translation
    this.#client = options.client
    this.#breaksWhenFailed = options.breaksWhenFailed === true
    this.#keepAlive = options.keepAlive
    this.#early = options.early
    this.#reply = options.reply
    this.#reporter = options.reporter
    this.#observed = options.reporter.observed?.readsAlong === true ? options.reporter.observed : undefined
    this.#context = options.context
    this.#timeouts = options.timeouts
    this.#upstream = options.upstream
    this.#head = options.head
    this.#lastRead = this.#lastWrite = options.context.watchdog.now()
  }

  /** Resolves when the client is sent the first byte; rejects if the answer fails before, and nothing was sent. */
  begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#begun = resolve
      this.#failed = reject
      this.#context.watchdog.watch(this)
      if (!this.#isDone) this.#answer.listen(this)
    })
  }

  get hasBegun(): boolean {
    return this.#headSent
  }

  data(bytes: Uint8Array): void {
    if (this.#isDone) return
    this.#hasRead = true
    this.#lastRead = this.#context.watchdog.now()
    const out = this.#translation.pushRaw(bytes)
    if (this.#observed !== undefined) this.#observe(bytes, out)
    this.#send(out)
  }

  #observe(bytes: Uint8Array, { length }: string | Uint8Array): void {
    this.#observed?.read(bytes)
    if (length > 0) this.#observed?.piece(this.#lastRead)
  }

  end(): void {
    if (!this.#isDone) this.#send(this.#translation.end())
    this.#context.watchdog.forget(this)
  }

  error(error: Error): void {
    // A connection that breaks after the finish has brought everything.
    if (this.#isDone || this.#translation.finished) this.end()
    else this.fail(connectionError(error, this.#upstream))
  }

  /** Gives up on the upstream, and says why. */
  fail(error: HubError): void {
    if (this.#isDone) this.#abort()
    else this.#send(this.#translation.fail(error))
  }

  get deadline(): number {
    const { idle, firstByte, keepAlive, grace } = this.#timeouts
    if (this.#isDone) return this.#lastRead + grace
    if (this.#isPaused) return Infinity
    if (this.#translation.finished) return this.#lastRead + grace
    const silence = this.#lastRead + (this.#hasRead ? idle : firstByte)
    if (!this.#headSent) return Math.min(silence, this.#early?.deadline ?? Infinity)
    return this.#keepAlive === undefined ? silence : Math.min(silence, this.#lastWrite + keepAlive)
  }

  expired(now: number): void {
    if (this.#isDone) {
      this.#abort()
      return
    }
    if (this.#translation.finished) {
      this.#send(this.#translation.end())
      return
    }
    const { idle, firstByte } = this.#timeouts
    const isSilent = now >= this.#lastRead + (this.#hasRead ? idle : firstByte)
    if (!this.#headSent && !isSilent) {
      this.#early?.expired(now)
      return
    }
    if (this.#headSent && !isSilent && this.#keepAlive !== undefined) {
      this.#write(this.#keepAlive)
      this.#lastWrite = now
      return
    }
    this.fail(new HubError('timeout_error', `upstream ${this.#upstream}: silent for too long`))
  }

  #send(out: string | Uint8Array): void {
    const { failure, ended } = this.#translation
    if (!this.#headSent) {
      if (failure !== undefined) {
        this.#refuse(failure)
        return
      }
      if (out.length === 0 && !ended) return
      this.#sendHead()
    }
    if (!ended) {
      if (out.length > 0) this.#write(out)
      return
    }
    if (failure === undefined) this.#reply.end(out)
    else this.#breakOff(out)
    this.#finish()
  }

  #breakOff(out: string | Uint8Array): void {
    if (this.#translation.failsWithoutError === true) this.#reply.close()
    else if (this.#breaksWhenFailed) this.#reply.breakOff(out)
    else this.#reply.close(out)
  }

  #refuse(failure: HubError): void {
    this.#isDone = true
    this.#abort()
    this.#failed(failure)
  }

  #sendHead(): void {
    this.#headSent = true
    this.#reply.patience = this.#timeouts.client
    this.#early?.stop()
    if (this.#early?.isSent !== true) {
      const { status, headers } = this.#head ?? this.#ownHead()
      this.#reporter.began(status)
      this.#reply.head(status, headers)
    }
    this.#begun()
  }

  #ownHead(): AnswerHead {
    const headers = streamHeaders(this.#translation.contentType, this.#client, this.#reporter)
    return { status: 200, headers: { ...headers, 'x-hydra-notes': String(this.#reporter.noteCount) } }
  }

  #write(out: string | Uint8Array): void {
    this.#lastWrite = this.#lastRead
    if (this.#reply.write(out)) return
    this.#isPaused = true
    this.#answer.pause()
  }

  drained(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#lastRead = this.#context.watchdog.now()
    this.#answer.resume()
  }

  #finish(): void {
    const { failure, refusal, finished, summary, notes } = this.#translation
    this.#isDone = true
    const error = failure ?? refusal
    this.#reporter.done(error === undefined ? 'answered' : 'failed', { summary, notes, error })
    // An upstream that is finished may close by itself, which keeps its connection for the next call.
    if (failure !== undefined || !finished) this.#abort()
    else this.#answer.resume()
  }

  gone(reason?: HubError): void {
    if (this.#isDone) return
    this.#isDone = true
    const { summary, notes } = this.#translation
    this.#reporter.done('aborted', { summary, notes, error: reason })
    this.#abort()
  }

  #abort(): void {
    this.#context.watchdog.forget(this)
    this.#answer.abort()
  }
}
