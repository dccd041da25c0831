import { HubError, toHubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { NOWHERE, type Watched } from '../watchdog.ts'
import type { Exchange, ReplyListener } from './exchange.ts'

/** Begins to watch over an exchange, from the first byte of its request's body on. */
export function beginWaiting({ reply }: Exchange, context: GatewayContext<never>): WaitingCall {
  const waiting = new WaitingCall(context)
  reply.listener = waiting
  if (reply.isGone) waiting.gone()
  return waiting
}

/** Watches over the time between a request and the first byte of its answer. */
export class WaitingCall implements ReplyListener, Watched {
  readonly #context: GatewayContext<never>
  /** Why nobody waits any more. */
  #reason: HubError | undefined
  /** Ends what is being waited for. */
  #giveUp: (reason: HubError) => void = () => {}
  /** Aborts the call that is under way; none is before the request was read. */
  #call: AbortController | undefined
  #upstream = ''
  deadline: number
  place: number = NOWHERE
  isClientGone = false

  constructor(context: GatewayContext<never>) {
    this.#context = context
    this.deadline = context.watchdog.now() + context.timeouts.firstByte
    context.watchdog.watch(this)
  }

  /** Somebody has given up waiting. */
  get isOver(): boolean {
    return this.#reason !== undefined
  }

  throwIfOver(): void {
    if (this.#reason !== undefined) throw this.#reason
  }

  /** The signal of the next call, which has the whole time for its first byte to itself. */
  call(upstream: string, firstByte: number): AbortSignal {
    this.throwIfOver()
    this.#call = new AbortController()
    this.#upstream = upstream
    this.deadline = this.#context.watchdog.now() + firstByte
    this.#context.watchdog.watch(this)
    return this.#call.signal
  }

  /** Waits between two calls. */
  async sleep(milliseconds: number): Promise<void> {
    this.deadline = Infinity
    this.#context.watchdog.watch(this)
    let timer: ReturnType<typeof setTimeout> | undefined
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    })
    try {
      await this.bound(pause)
    } finally {
      clearTimeout(timer)
    }
  }

  /** What a promise brings, unless somebody gives up waiting for it. */
  bound<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#reason !== undefined) reject(this.#reason)
      this.#giveUp = reject
      promise.then(resolve, reject)
    })
  }

  /** Nothing is written yet that could have to wait. */
  drained(): void {}

  /** Nobody waits for the answer any more. */
  gone(): void {
    this.isClientGone = true
    this.fail(new HubError('api_error', 'the client is gone'))
  }

  expired(): void {
    if (this.#call === undefined) {
      this.fail(new HubError('timeout_error', 'the request did not arrive in time', { status: 408 }))
      return
    }
    // Only this call is over: a fallback may do better.
    this.deadline = Infinity
    this.#call.abort(new HubError('timeout_error', `upstream ${this.#upstream}: no answer in time`))
  }

  /** Gives up waiting. */
  fail(error: HubError): void {
    if (this.#reason !== undefined) return
    this.#reason = error
    this.stop()
    this.#giveUp(error)
    this.#call?.abort(error)
  }

  /** What ended the wait: our own reason, if it was ours. */
  explain(thrown: unknown): HubError {
    return this.#reason ?? toHubError(thrown)
  }

  /** Nothing is waited for: the answer is there, and watches over itself. */
  stop(): void {
    this.#context.watchdog.forget(this)
  }
}
