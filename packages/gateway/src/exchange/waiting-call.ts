import { HubError, toHubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Watched } from '../watchdog.ts'

/** Watches over the time between a request and the first byte of its answer. */
export class WaitingCall implements Watched {
  readonly #controller = new AbortController()
  readonly #context: GatewayContext<never>
  readonly deadline: number
  isClientGone = false

  constructor(context: GatewayContext<never>) {
    this.#context = context
    this.deadline = context.watchdog.now() + context.timeouts.firstByte
    context.watchdog.watch(this)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The client is gone: nobody waits for the answer any more. */
  abort(): void {
    this.isClientGone = true
    this.#controller.abort(new HubError('api_error', 'the client is gone'))
    this.stop()
  }

  expired(): void {
    this.fail(new HubError('timeout_error', 'the upstream did not answer in time', { status: 504 }))
  }

  /** Gives up waiting. */
  fail(error: HubError): void {
    this.#controller.abort(error)
    this.stop()
  }

  /** What ended the wait: our own reason, if it was ours. */
  explain(thrown: unknown): HubError {
    return this.signal.aborted ? (this.signal.reason as HubError) : toHubError(thrown)
  }

  stop(): void {
    this.#context.watchdog.forget(this)
  }
}
