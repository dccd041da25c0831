import {
  createLoopGuard,
  type DialectName,
  type LoopGuard,
  type Memory,
  registry,
  type UpstreamDialect,
  Router,
} from '@hydra/core'
import { BoundedMemory, DEFAULT_MEMORY } from './memory/bounded-memory.ts'
import type { SharedMemory } from './memory/shared-memory.ts'
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
import { complete } from './schema/complete.ts'
import { bothRecorders } from './taping/both-recorders.ts'
import type { TrafficRecorder } from './taping/traffic.ts'
import { Breaker } from './upstream/breaker.ts'
import { fetchTransport } from './upstream/fetch-transport.ts'
import { JsonBytes } from './upstream/json-bytes.ts'
import { KeyPool } from './upstream/key-pool.ts'
import type { Transport } from './upstream/transport.ts'
import { NO_RESTS } from './upstream/upstream-rests.ts'
import { timersBelongToRequests, Watchdog } from './watchdog.ts'

/** What all exchanges of a gateway share. */
export interface GatewayContext<Native = unknown> {
  readonly options: GatewayOptions<Native>
  /** Finds the dialect of a client. */
  readonly router: Router
  readonly memory: Memory | SharedMemory
  readonly timeouts: Timeouts
  readonly retries: Retries
  readonly limits: Limits
  readonly transport: Transport
  readonly watchdog: Watchdog
  readonly breakers: ReadonlyMap<string, Breaker>
  readonly pools: ReadonlyMap<string, KeyPool>
  readonly json: JsonBytes
  /** Hears all traffic, if anybody wants to. */
  readonly traffic: TrafficRecorder | undefined
  readonly loopGuard: LoopGuard | undefined
  readonly newId: () => string
  /** Tells this gateway from every other one that a request may come through. */
  readonly ownId: () => string
}

/** Fills in the defaults. */
export function contextOf<Native>(options: GatewayOptions<Native>): GatewayContext<Native> {
  const watchdog = new Watchdog(undefined, timersBelongToRequests() ? 'own' : 'shared')
  return {
    options,
    router: new Router(registry),
    memory: memoryOf(options.memory, () => watchdog.now()),
    timeouts: complete(DEFAULT_TIMEOUTS, options.timeouts),
    retries: complete(DEFAULT_RETRIES, options.retries),
    limits: complete(DEFAULT_LIMITS, options.limits),
    transport: options.transport ?? fetchTransport(),
    watchdog,
    breakers: breakersOf(options, () => watchdog.now()),
    pools: poolsOf(options, () => watchdog.now()),
    json: new JsonBytes(),
    traffic: trafficOf(options),
    loopGuard: options.loopGuard && createLoopGuard(options.loopGuard),
    ownId: onceAsked(() => crypto.randomUUID()),
    newId: options.newId ?? (() => crypto.randomUUID().replaceAll('-', '')),
  }
}

/**
 * An upstream with a fallback has a breaker: its clients are better served elsewhere at once. Without a fallback
 * a refusal would only take the place of a try, so there it has to be asked for.
 */
function breakersOf<Native>(
  { upstreams, routes, breaker, rests = NO_RESTS }: GatewayOptions<Native>,
  now: () => number,
): ReadonlyMap<string, Breaker> {
  const replaceable = new Set(
    routes.flatMap(({ upstream, fallbacks = [] }) =>
      [upstream, ...fallbacks.map((target) => target.upstream)].slice(0, -1),
    ),
  )
  const limits = complete(DEFAULT_BREAKER, breaker)
  const wanted = Object.entries(upstreams).filter(([name, own]) => own.breaker ?? replaceable.has(name))
  return new Map(
    wanted.map(([name]) => [name, new Breaker(limits, now, { name: `upstream ${name}`, rests })]),
  )
}

/** The routes for clients of a dialect: what passes unchanged is for those that speak the upstream's. */
export function routesFor<Native>(
  { options: { routes, upstreams } }: GatewayContext<Native>,
  client: DialectName,
): RoutesForClient {
  if (!routes.some(({ passthrough }) => passthrough)) return { routes, skipped: [] }
  const isOpen = ({ passthrough, upstream }: Route): boolean =>
    !passthrough || upstreams[upstream]?.dialect === client
  return { routes: routes.filter(isOpen), skipped: routes.filter((route) => !isOpen(route)) }
}

/** The routes that clients of a dialect can take, and those that they cannot. */
interface RoutesForClient {
  readonly routes: readonly Route[]
  readonly skipped: readonly Route[]
}

/** An upstream with several keys has a pool. */
function poolsOf<Native>(
  { upstreams, rests }: GatewayOptions<Native>,
  now: () => number,
): ReadonlyMap<string, KeyPool> {
  const pooled = Object.entries(upstreams).filter(([, { keys = [] }]) => keys.length > 0)
  return new Map(pooled.map(([name, upstream]) => [name, new KeyPool(name, upstream, now, rests)]))
}

type TimeoutOptions = NonNullable<GatewayOptions['timeouts']>

/** How long things may take on a route. */
export function timeoutsOn({ timeouts: own }: Route, { timeouts }: GatewayContext<never>): Timeouts {
  return own === undefined ? timeouts : complete<TimeoutOptions>(timeouts, own)
}

/** The translators of an upstream. */
export function dialectOf(upstream: Upstream): UpstreamDialect {
  return registry.upstream(upstream.dialect)
}

function trafficOf<Native>({ traffic, inspector }: GatewayOptions<Native>): TrafficRecorder | undefined {
  if (traffic === undefined || inspector === undefined) return traffic ?? inspector?.traffic
  return bothRecorders(traffic, inspector.traffic)
}

function memoryOf(wish: GatewayOptions['memory'] = {}, now: () => number): Memory | SharedMemory {
  return 'get' in wish || 'recall' in wish ? wish : new BoundedMemory(complete(DEFAULT_MEMORY, wish), now)
}

/** Workers refuse random values outside of a request, and a gateway is created there. */
function onceAsked(make: () => string): () => string {
  let made: string | undefined
  return () => (made ??= make())
}
