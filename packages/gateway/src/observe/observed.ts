import type { HubError, HubRequest } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { ExchangeReport } from '../exchange/report.ts'
import type { RouteTarget } from '../route/route.ts'
import type { BegunExchange, ExchangeObserver } from './observer.ts'

/** Tells all who follow an exchange; there is none if nobody does. */
export function beginObserving(
  exchange: BegunExchange,
  context: GatewayContext<never>,
): Observed | undefined {
  const { observers = [] } = context.options
  if (observers.length === 0) return undefined
  const following = observers.flatMap((observer) => guarded(() => observer.begin(exchange)) ?? [])
  return following.length === 0 ? undefined : new Observed(following, context)
}

/** One exchange and those who follow it. */
export class Observed {
  readonly #observers: readonly ExchangeObserver[]
  readonly #context: GatewayContext<never>
  #route = ''
  #target: RouteTarget | undefined
  #tryBegan: number | undefined
  readonly #readers: readonly ExchangeObserver[]
  readonly #timers: readonly ExchangeObserver[]

  constructor(observers: readonly ExchangeObserver[], context: GatewayContext<never>) {
    this.#observers = observers
    this.#context = context
    this.#readers = observers.filter((one) => one.read !== undefined)
    this.#timers = observers.filter((one) => one.piece !== undefined)
  }

  /** Whether any observer wants every read. */
  get readsAlong(): boolean {
    return this.#readers.length + this.#timers.length > 0
  }

  read(bytes: Uint8Array): void {
    each(this.#readers, (one) => one.read?.(bytes))
  }

  piece(now: number): void {
    each(this.#timers, (one) => one.piece?.(now))
  }

  request(request: HubRequest): void {
    each(this.#observers, (one) => one.request?.(request))
  }

  target(route: string, target: RouteTarget): void {
    this.#route = route
    this.#target = target
    this.#tryBegan = undefined
    const upstream = this.#context.options.upstreams[target.upstream]
    if (upstream === undefined) return
    const { dialect, url, profile } = upstream
    const { model = '' } = target
    const observed = { route: this.#route, upstream: target.upstream, model, dialect, url, profile }
    each(this.#observers, (one) => one.target?.(observed))
  }

  /** A call begins; gives the headers that go along with it. */
  headers(): Readonly<Record<string, string>> {
    this.#tryBegan = this.#context.watchdog.now()
    return Object.assign({}, ...this.#observers.map((one) => guarded(() => one.headers?.()) ?? {})) as Record<
      string,
      string
    >
  }

  failed(error: HubError, pause: number | undefined): void {
    const { upstream = '', model = '' } = this.#target ?? {}
    const duration = this.#tryBegan === undefined ? 0 : this.#context.watchdog.now() - this.#tryBegan
    this.#tryBegan = undefined
    each(this.#observers, (one) => one.failed?.({ upstream, model, error, duration, pause }))
  }

  began(status: number): void {
    each(this.#observers, (one) => one.began?.(status))
  }

  done(report: ExchangeReport): void {
    each(this.#observers, (one) => one.done(report))
  }
}

function each(observers: readonly ExchangeObserver[], tell: (observer: ExchangeObserver) => void): void {
  for (const observer of observers) guarded(() => tell(observer))
}

/** Who follows an exchange must not break it; but a fault must be seen. */
function guarded<Value>(call: () => Value): Value | undefined {
  try {
    return call()
  } catch (thrown) {
    console.error('hydra: an observer failed:', thrown)
    return undefined
  }
}
