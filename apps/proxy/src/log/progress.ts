import type {
  AgentIdentity,
  ExchangeObserver,
  FailedTry,
  GatewayObserver,
  ObservedTarget,
} from '@hydra/gateway'

/** Something that is worth a line before an exchange is over. */
export interface Progress {
  readonly id: string
  readonly agent: AgentIdentity
  /** The model that the client asked for. */
  readonly clientModel?: string | undefined
  readonly upstream?: string | undefined
  readonly upstreamModel?: string | undefined
  readonly event:
    | { readonly kind: 'waiting'; readonly milliseconds: number }
    | { readonly kind: 'retry'; readonly pause: number; readonly failure: FailedTry }
    | { readonly kind: 'fallback'; readonly to: ObservedTarget; readonly failure: FailedTry }
}

/** After how many milliseconds without an answer somebody who looks at the log should know what is waited for. */
const PATIENCE = 2000

/** Tells of exchanges that wait, are tried again or go elsewhere, as it happens. */
export function progressObserver(tell: (progress: Progress) => void): GatewayObserver {
  return { begin: ({ id, agent }) => new ExchangeProgress({ id, agent }, tell) }
}

class ExchangeProgress implements ExchangeObserver {
  readonly #exchange: Pick<Progress, 'id' | 'agent'>
  readonly #tell: (progress: Progress) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #clientModel: string | undefined
  #target: ObservedTarget | undefined
  #failure: FailedTry | undefined

  constructor(exchange: Pick<Progress, 'id' | 'agent'>, tell: (progress: Progress) => void) {
    this.#exchange = exchange
    this.#tell = tell
    this.#timer = setTimeout(() => this.#say({ kind: 'waiting', milliseconds: PATIENCE }), PATIENCE)
    // A process that is about to end does not wait for a line of its log.
    this.#timer.unref()
  }

  request({ model }: { readonly model: string }): void {
    this.#clientModel = model
  }

  target(target: ObservedTarget): void {
    if (this.#failure !== undefined) this.#say({ kind: 'fallback', to: target, failure: this.#failure })
    this.#target = target
  }

  failed(failure: FailedTry): void {
    this.#failure = failure
    const { pause } = failure
    if (pause !== undefined) this.#say({ kind: 'retry', pause, failure })
  }

  began(): void {
    clearTimeout(this.#timer)
  }

  done(): void {
    clearTimeout(this.#timer)
  }

  #say(event: Progress['event']): void {
    const { upstream, model: upstreamModel } = this.#target ?? {}
    this.#tell({ ...this.#exchange, clientModel: this.#clientModel, upstream, upstreamModel, event })
  }
}
