import {
  createLoopGuard,
  type LoopGuard,
  type Memory,
  registry,
  type UpstreamDialect,
  Router,
} from '@hydra/core'
import { BoundedMemory, DEFAULT_MEMORY } from './memory/bounded-memory.ts'
import {
  DEFAULT_BREAKER,
  DEFAULT_LIMITS,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUTS,
  type GatewayOptions,
  type Limits,
  type Retries,
  type Timeouts,
  type Upstream,
} from './options.ts'
import type { Route } from './route/route.ts'
import { Breaker } from './upstream/breaker.ts'
import { fetchTransport } from './upstream/fetch-transport.ts'
import { JsonBytes } from './upstream/json-bytes.ts'
import type { Transport } from './upstream/transport.ts'
import { Watchdog } from './watchdog.ts'

/** What all exchanges of a gateway share. */
export interface GatewayContext<Native = unknown> {
  readonly options: GatewayOptions<Native>
  /** Finds the dialect of a client. */
  readonly router: Router
  readonly memory: Memory
  readonly timeouts: Timeouts
  readonly retries: Retries
  readonly limits: Limits
  readonly transport: Transport
  readonly watchdog: Watchdog
  readonly breakers: ReadonlyMap<string, Breaker>
  readonly json: JsonBytes
  readonly loopGuard: LoopGuard | undefined
  readonly newId: () => string
  /** Tells this gateway from every other one that a request may come through. */
  readonly ownId: string
}

/** Fills in the defaults. */
export function contextOf<Native>(options: GatewayOptions<Native>): GatewayContext<Native> {
  const watchdog = new Watchdog()
  return {
    options,
    router: new Router(registry),
    memory: new BoundedMemory({ ...DEFAULT_MEMORY, ...options.memory }, () => watchdog.now()),
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
    retries: { ...DEFAULT_RETRIES, ...options.retries },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    transport: options.transport ?? fetchTransport(),
    watchdog,
    breakers: breakersOf(options, () => watchdog.now()),
    json: new JsonBytes(),
    loopGuard: options.loopGuard && createLoopGuard(options.loopGuard),
    ownId: crypto.randomUUID(),
    newId: options.newId ?? (() => crypto.randomUUID().replaceAll('-', '')),
  }
}

/**
 * An upstream with a fallback has a breaker: its clients are better served elsewhere at once. Without a fallback
 * a refusal would only take the place of a try, so there it has to be asked for.
 */
function breakersOf<Native>(
  { upstreams, routes, breaker }: GatewayOptions<Native>,
  now: () => number,
): ReadonlyMap<string, Breaker> {
  const replaceable = new Set(
    routes.flatMap(({ upstream, fallbacks = [] }) =>
      [upstream, ...fallbacks.map((target) => target.upstream)].slice(0, -1),
    ),
  )
  const limits = { ...DEFAULT_BREAKER, ...breaker }
  const wanted = Object.entries(upstreams).filter(([name, own]) => own.breaker ?? replaceable.has(name))
  return new Map(wanted.map(([name]) => [name, new Breaker(limits, now)]))
}

/** How long things may take on a route. */
export function timeoutsOn({ timeouts: own }: Route, { timeouts }: GatewayContext<never>): Timeouts {
  return own === undefined ? timeouts : { ...timeouts, ...own }
}

/** The translators of an upstream. */
export function dialectOf(upstream: Upstream): UpstreamDialect {
  return registry.upstream(upstream.dialect)
}
