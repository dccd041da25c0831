import { HubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { connectionError } from '../upstream/failure.ts'
import type { BodyListener, UpstreamAnswer } from '../upstream/transport.ts'
import type { Watched } from '../watchdog.ts'
import type { Responder } from './exchange.ts'
import type { Recorder } from './recorder.ts'
import { refuse } from './refuse.ts'
import type { Translation } from './translation.ts'

const PING = 'event: ping\ndata: {"type":"ping"}\n\n'

/** What an answer's way to the client runs through. */
export interface AnswerStreamOptions<Native> {
  readonly answer: UpstreamAnswer
  readonly translation: Translation
  readonly reply: Responder
  readonly recorder: Recorder<Native>
  readonly context: GatewayContext<Native>
  /** The upstream's name, for messages. */
  readonly upstream: string
}

/**
 * Carries one answer from the upstream to the client: one write per read, paused while the client is slow.
 * The status goes out with the first event, so an upstream that fails at once still gets a status of its own.
 */
export class AnswerStream<Native> implements BodyListener, Watched {
  readonly #answer: UpstreamAnswer
  readonly #translation: Translation
  readonly #reply: Responder
  readonly #recorder: Recorder<Native>
  readonly #context: GatewayContext<Native>
  readonly #upstream: string
  #headSent = false
  #isPaused = false
  /** The client has everything; only the upstream's connection is still to be closed. */
  #isDone = false
  #lastRead: number
  #lastWrite: number

  constructor({ answer, translation, reply, recorder, context, upstream }: AnswerStreamOptions<Native>) {
    this.#answer = answer
    this.#translation = translation
    this.#reply = reply
    this.#recorder = recorder
    this.#context = context
    this.#upstream = upstream
    this.#lastRead = this.#lastWrite = context.watchdog.now()
  }

  start(): void {
    this.#reply.drained = () => this.#resume()
    this.#reply.gone = () => this.#gone()
    this.#context.watchdog.watch(this)
    this.#answer.listen(this)
  }

  data(bytes: Uint8Array): void {
    if (this.#isDone) return
    this.#lastRead = this.#context.watchdog.now()
    this.#send(this.#translation.push(bytes))
  }

  end(): void {
    if (this.#isDone) this.#context.watchdog.forget(this)
    else this.#send(this.#translation.end())
  }

  error(error: Error): void {
    if (this.#isDone) {
      this.#context.watchdog.forget(this)
      return
    }
    // A connection that breaks after the finish has brought everything.
    if (this.#translation.finished) this.#send(this.#translation.end())
    else this.fail(connectionError(error, this.#upstream))
  }

  /** Gives up on the upstream, and says why. */
  fail(error: HubError): void {
    if (this.#isDone) return
    this.#send(this.#translation.fail(error))
  }

  get deadline(): number {
    const { idle, firstByte, keepAlive, grace } = this.#context.timeouts
    if (this.#isDone || this.#translation.finished) return this.#lastRead + grace
    if (this.#isPaused) return Infinity
    if (!this.#headSent) return this.#lastRead + Math.max(idle, firstByte)
    return Math.min(this.#lastRead + idle, this.#lastWrite + keepAlive)
  }

  expired(now: number): void {
    const { idle, grace } = this.#context.timeouts
    if (this.#isDone) {
      this.#abort()
      return
    }
    if (this.#translation.finished && now >= this.#lastRead + grace) {
      this.#send(this.#translation.end())
      return
    }
    if (this.#headSent && now < this.#lastRead + idle) {
      this.#lastWrite = now
      this.#write(PING)
      return
    }
    this.#answer.abort()
    this.fail(new HubError('timeout_error', `upstream ${this.#upstream}: silent for too long`))
  }

  #send(out: string): void {
    const { failure, ended } = this.#translation
    if (!this.#headSent) {
      if (failure !== undefined) {
        refuse(failure, this.#reply, { recorder: this.#recorder, context: this.#context })
        this.#finish()
        return
      }
      if (out === '') return
      this.#sendHead()
    }
    if (!ended) {
      if (out !== '') this.#write(out)
      return
    }
    if (failure === undefined) this.#reply.end(out)
    else this.#reply.close(out)
    this.#finish()
  }

  #sendHead(): void {
    this.#headSent = true
    this.#recorder.began(200)
    this.#reply.head(200, {
      'content-type': this.#translation.contentType,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'request-id': this.#recorder.id,
      'x-hydra-notes': String(this.#recorder.noteCount),
    })
  }

  #write(out: string): void {
    this.#lastWrite = this.#lastRead
    if (this.#reply.write(out)) return
    this.#isPaused = true
    this.#answer.pause()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#lastRead = this.#context.watchdog.now()
    this.#answer.resume()
  }

  #finish(): void {
    const { failure, finished, summary, notes } = this.#translation
    this.#isDone = true
    this.#recorder.done(failure === undefined ? 'answered' : 'failed', { summary, notes, error: failure })
    // An upstream that is finished may close by itself, which keeps its connection for the next call.
    if (failure !== undefined || !finished) this.#abort()
    else this.#answer.resume()
  }

  #gone(): void {
    if (this.#isDone) return
    this.#isDone = true
    const { summary, notes } = this.#translation
    this.#recorder.done('aborted', { summary, notes })
    this.#abort()
  }

  #abort(): void {
    this.#context.watchdog.forget(this)
    this.#answer.abort()
  }
}
