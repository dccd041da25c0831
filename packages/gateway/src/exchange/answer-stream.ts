import { type ClientDialect, HubError, type Translation } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Timeouts } from '../options.ts'
import type { Secret } from '../secret.ts'
import { connectionError, withoutKey } from '../upstream/failure.ts'
import type { BodyListener, UpstreamAnswer } from '../upstream/transport.ts'
import { NOWHERE, type Watched } from '../watchdog.ts'
import type { ReplyListener, Responder } from './exchange.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What an answer's way to the client runs through. */
export interface AnswerStreamOptions<Native> {
  readonly answer: UpstreamAnswer
  readonly translation: Translation
  readonly client: ClientDialect
  /** What the client is sent when there is nothing to say; without it, silence is all it hears. */
  readonly keepAlive: string | undefined
  readonly reply: Responder
  readonly reporter: ExchangeReporter<Native>
  readonly context: GatewayContext<Native>
  readonly timeouts: Timeouts
  /** The upstream's name, for messages. */
  readonly upstream: string
  /** The upstream's key, which no message may quote. */
  readonly key: Secret | undefined
}

/**
 * Carries one answer from the upstream to the client: one write per read, paused while the client is slow.
 * The status goes out with the first event, so an answer that fails before it can still be had from somewhere else.
 */
export class AnswerStream<Native> implements BodyListener, ReplyListener, Watched {
  readonly #answer: UpstreamAnswer
  readonly #translation: Translation
  readonly #client: ClientDialect
  readonly #keepAlive: string | undefined
  readonly #reply: Responder
  readonly #reporter: ExchangeReporter<Native>
  readonly #context: GatewayContext<Native>
  readonly #timeouts: Timeouts
  readonly #upstream: string
  readonly #key: Secret | undefined
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
    this.#keepAlive = options.keepAlive
    this.#reply = options.reply
    this.#reporter = options.reporter
    this.#context = options.context
    this.#timeouts = options.timeouts
    this.#upstream = options.upstream
    this.#key = options.key
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

  data(bytes: Uint8Array): void {
    if (this.#isDone) return
    this.#hasRead = true
    this.#lastRead = this.#context.watchdog.now()
    this.#send(this.#translation.pushRaw(bytes))
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
    if (!this.#hasRead) return this.#lastRead + firstByte
    const silence = this.#lastRead + idle
    const isKeptAlive = this.#headSent && this.#keepAlive !== undefined
    return isKeptAlive ? Math.min(silence, this.#lastWrite + keepAlive) : silence
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
    const isSilent = now >= this.#lastRead + this.#timeouts.idle
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
      if (out.length === 0) return
      this.#sendHead()
    }
    if (!ended) {
      if (out.length > 0) this.#write(out)
      return
    }
    if (failure === undefined) this.#reply.end(out)
    else this.#reply.close(this.#withoutKey(out))
    this.#finish()
  }

  #withoutKey(out: string | Uint8Array): string {
    const text = typeof out === 'string' ? out : decoder.decode(out)
    return this.#key?.hideIn(text) ?? text
  }

  #refuse(failure: HubError): void {
    this.#isDone = true
    this.#abort()
    this.#failed(failure)
  }

  #sendHead(): void {
    this.#headSent = true
    this.#reply.listener = this
    this.#reporter.began(200)
    this.#reply.head(200, {
      'content-type': this.#translation.contentType,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...this.#client.answerHeaders(this.#reporter.id),
      'x-hydra-notes': String(this.#reporter.noteCount),
    })
    this.#begun()
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
    const { failure, finished, summary, notes } = this.#translation
    this.#isDone = true
    const error = failure && withoutKey(failure, this.#key)
    this.#reporter.done(failure === undefined ? 'answered' : 'failed', { summary, notes, error })
    // An upstream that is finished may close by itself, which keeps its connection for the next call.
    if (failure !== undefined || !finished) this.#abort()
    else this.#answer.resume()
  }

  gone(): void {
    if (this.#isDone) return
    this.#isDone = true
    const { summary, notes } = this.#translation
    this.#reporter.done('aborted', { summary, notes })
    this.#abort()
  }

  #abort(): void {
    this.#context.watchdog.forget(this)
    this.#answer.abort()
  }
}
