import { HubError, toHubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { NOWHERE, type Watched } from '../watchdog.ts'
import type { EarlyHead } from './early-head.ts'
import type { Taping } from '../taping/taping.ts'
import type { Exchange, ReplyListener } from './exchange.ts'

/** Begins to watch over the client of an exchange, from the first byte of its request's body on. */
export function watchClient(
  { reply }: Pick<Exchange, 'reply'>,
  context: GatewayContext<never>,
  taping?: Pick<Taping, 'clientGone'>,
): ClientWatch {
  const watch = new ClientWatch(context, taping)
  reply.listener = watch
  if (reply.isGone) watch.gone()
  return watch
}

/** An answer on its way to the client. */
export interface WatchedAnswer extends ReplyListener {
  /** The client was sent something of it: it tells itself how it ends. */
  readonly hasBegun: boolean
  fail(error: HubError): void
}

const NOTHING_AWAITED = (): void => {}

/**
 * The one listener of a client's connection, from the first byte of its request to the last of its answer. Until the
 * answer begins it also watches over the time; after that the answer does so itself, and is told of the client.
 */
export class ClientWatch implements ReplyListener, Watched {
  readonly #context: GatewayContext<never>
  readonly #taping: Pick<Taping, 'clientGone'> | undefined
  /** Why the answer is no longer waited for. */
  #reason: HubError | undefined
  /** Ends what is being waited for. */
  #giveUp: (reason: HubError) => void = NOTHING_AWAITED
  /** Aborts the call that is under way; none is before the request was read. */
  #call: AbortController | undefined
  /** What that call is answered with, once it is. */
  #answer: WatchedAnswer | undefined
  #upstream = ''
  #deadline: number
  /** Sends the head early to clients with a short header timeout. */
  early: Pick<EarlyHead<never>, 'deadline' | 'expired'> | undefined
  place: number = NOWHERE
  isClientGone = false

  constructor(context: GatewayContext<never>, taping: Pick<Taping, 'clientGone'> | undefined) {
    this.#context = context
    this.#taping = taping
    this.#deadline = context.watchdog.now() + context.timeouts.firstByte
    context.watchdog.watch(this)
  }

  /** The client or a time limit has given up. */
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
    this.#answer = undefined
    this.#upstream = upstream
    this.#deadline = this.#context.watchdog.now() + firstByte
    this.#context.watchdog.watch(this)
    return this.#call.signal
  }

  /** Waits between two calls. */
  async sleep(milliseconds: number): Promise<void> {
    this.#deadline = Infinity
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

  /** What a promise brings, unless the client or a time limit gives up. */
  bound<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#reason !== undefined) reject(this.#reason)
      this.#giveUp = reject
      // The rejection holds what the promise has brought, such as the whole request, and this object outlives it.
      const forget = (): void => {
        if (this.#giveUp === reject) this.#giveUp = NOTHING_AWAITED
      }
      void promise.then(resolve, reject).finally(forget)
    })
  }

  /** The call is answered: this answer watches over itself from now on. */
  answeredBy(answer: WatchedAnswer): void {
    this.stop()
    this.#answer = answer
  }

  drained(): void {
    this.#answer?.drained()
  }

  gone(reason?: HubError): void {
    this.isClientGone = true
    // Before anything that becomes of it, so that a tape has things in their order.
    this.#taping?.clientGone()
    if (this.#answer?.hasBegun === true) this.#answer.gone(reason)
    else this.fail(new HubError('api_error', 'the client is gone'))
  }

  get deadline(): number {
    return Math.min(this.#deadline, this.early?.deadline ?? Infinity)
  }

  expired(now: number): void {
    if (now < this.#deadline) {
      this.early?.expired(now)
      return
    }
    if (this.#call === undefined) {
      this.fail(new HubError('timeout_error', 'the request did not arrive in time', { status: 408 }))
      return
    }
    // Only this call is over: a fallback may do better.
    this.#deadline = Infinity
    this.#call.abort(new HubError('timeout_error', `upstream ${this.#upstream}: no answer in time`))
  }

  /** Gives up waiting. */
  fail(error: HubError): void {
    if (this.#reason !== undefined) return
    this.#reason = error
    this.stop()
    this.#giveUp(error)
    this.#call?.abort(error)
    this.#answer?.fail(error)
  }

  /** What ended the wait: our own reason, if it was ours. */
  explain(thrown: unknown): HubError {
    return this.#reason ?? toHubError(thrown)
  }

  /** Nothing is waited for any more. */
  stop(): void {
    this.#context.watchdog.forget(this)
  }
}
