import type { Dispatcher } from 'undici'
import { GatheredBody } from './gathered-body.ts'
import { sendOnce } from './send-once.ts'
import { type Environment, upstreamAgent } from './upstream-agent.ts'
import type { BodyListener, Transport, UpstreamAnswer, UpstreamCall } from '../upstream/transport.ts'

/** How connections to upstreams behave. */
export interface UndiciTransportOptions {
  /** How long a connection may take to open, in milliseconds. */
  readonly connectTimeout?: number
  /** Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are looked up; by default among the process's variables. */
  readonly environment?: Environment
}

type Controller = Dispatcher.DispatchController

/** Calls upstreams with undici's dispatcher: no promise and no stream object per piece of an answer. */
export function undiciTransport({
  connectTimeout = 10_000,
  environment = process.env,
}: UndiciTransportOptions = {}): Transport {
  const agent = upstreamAgent(connectTimeout, environment)
  return {
    open: (call) => open(agent, call),
    close: () => agent.destroy(),
  }
}

async function open(agent: Dispatcher, call: UpstreamCall): Promise<UpstreamAnswer> {
  call.signal.throwIfAborted()
  // Addresses come from the configuration, complete and checked: there is no need to parse them for each call.
  const pathAt = call.url.indexOf('/', call.url.indexOf('://') + '://'.length)
  const request: Dispatcher.DispatchOptions = {
    origin: call.url.slice(0, pathAt),
    path: call.url.slice(pathAt),
    method: 'POST',
    ...sendOnce(call),
    // The gateway watches over silence itself, and tells the client why it gave up.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  return new Promise((resolve, reject) => {
    agent.dispatch(request, new AnswerHandler(call.signal, resolve, reject))
  })
}

/** Follows one call; it is the answer as well, so that a stream costs one object. */
class AnswerHandler implements Dispatcher.DispatchHandler, UpstreamAnswer {
  status = 0
  headers: Record<string, string> = {}
  readonly #signal: AbortSignal
  readonly #resolve: (answer: UpstreamAnswer) => void
  readonly #reject: (error: Error) => void
  #controller: Controller | undefined
  readonly #body = new GatheredBody()
  #failure: Error | undefined
  readonly #onAbort = (): void => this.abort()

  constructor(
    signal: AbortSignal,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#signal.aborted) controller.abort(reasonOf(this.#signal))
  }

  onResponseStart(controller: Controller, status: number, headers: NodeJS.Dict<string | string[]>): void {
    if (status < 200) return
    this.status = status
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.headers[name.toLowerCase()] = String(value)
    }
    // They are views of what was read with them, which would stay in memory as long as the stream.
    controller.rawHeaders = null
    controller.pause()
    this.#resolve(this)
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#body.push(chunk)
  }

  onResponseEnd(): void {
    this.#done()
    this.#body.end()
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#done()
    this.#failure = error
    this.#reject(error)
    this.#body.error(error)
  }

  listen(listener: BodyListener): void {
    this.#body.listener = listener
    if (this.#failure === undefined) this.resume()
    else listener.error(this.#failure)
  }

  pause(): void {
    this.#body.pause()
    this.#controller?.pause()
  }

  resume(): void {
    this.#body.resume()
    // What had been gathered may be more than the client takes.
    if (!this.#body.isPaused) this.#controller?.resume()
  }

  abort(): void {
    this.#body.drop()
    this.#controller?.abort(reasonOf(this.#signal))
    // A call whose connection is still opening has no controller yet: it ends here, and is never sent.
    this.#reject(reasonOf(this.#signal))
  }

  #done(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('the call was aborted')
}
