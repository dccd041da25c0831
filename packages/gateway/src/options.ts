import type { HeaderValues, HubError, LoopGuardOptions, Memory, Prices } from '@hydra/core'
import type * as v from 'valibot'
import type { ClientIdentity } from './client/client-identity.ts'
import type { Limiter } from './client/limiter.ts'
import type { ExchangeReport } from './exchange/report.ts'
import type { SharedMemory } from './memory/shared-memory.ts'
import type { GatewayObserver } from './observe/observer.ts'
import type { Route, RouteTarget } from './route/route.ts'
import type { Complete } from './schema/complete.ts'
import type { LimitOptions, memory, RetryOptions, TimeoutOptions } from './schema/limits.ts'
import type { dataEntries } from './schema/options.ts'
import type { route } from './schema/route.ts'
import type { PlainUpstreamOptions, ProvidedUpstreamOptions, UpstreamKeyOptions } from './schema/upstream.ts'
import type { GatewayInspector } from './taping/inspector.ts'
import type { TrafficRecorder } from './taping/traffic.ts'
import type { BreakerLimits } from './upstream/breaker.ts'
import type { Transport } from './upstream/transport.ts'
import type { UpstreamRests } from './upstream/upstream-rests.ts'

/** A provider that can be called. Keys and addresses come from here only, never from a request. */
export interface Upstream extends Omit<PlainUpstreamOptions, 'keys'> {
  /** Several keys that take turns, in place of `key`. */
  readonly keys?: readonly UpstreamKey[] | undefined
}

/** An upstream of a known provider: what it leaves out is as the provider says. */
export type ProvidedUpstream = ProvidedUpstreamOptions

/** An upstream as options have it: one that says itself what it is, or one of a known provider. */
export type UpstreamOptions = PlainUpstreamOptions | ProvidedUpstream

/** One of several keys of an upstream. */
export interface UpstreamKey extends Readonly<Omit<UpstreamKeyOptions, 'label'>> {
  /** What reports call it. */
  readonly label: string
}

/** A route as options have it. */
export interface RouteOptions<Name extends string = string> extends Readonly<
  Omit<v.InferInput<typeof route>, 'upstream' | 'fallbacks'>
> {
  /** A name from `upstreams`. */
  readonly upstream: Name
  /** Where to go when the upstream fails before its first byte, in this order. */
  readonly fallbacks?: readonly (Readonly<RouteTarget> & { readonly upstream: Name })[] | undefined
}

/** How long things may take, in milliseconds. */
export type Timeouts = Complete<TimeoutOptions>

/** How often and how long a call is tried again before its first byte reached the client. */
export type Retries = Complete<RetryOptions>

/** The largest things that are read. */
export type Limits = Complete<LimitOptions>

/** What hooks get of a request. */
export interface RequestInfo<Native> {
  readonly method: string
  readonly path: string
  /** With its question mark, '' without one. */
  readonly query: string
  readonly headers: HeaderValues
  /** The framework's own request. */
  readonly native: Native
}

/** Whether a client may call: no, yes, why not in words for the client, or who it is. */
export type Authorization = boolean | HubError | ClientIdentity

type DataOptions = Readonly<v.InferInput<v.StrictObjectSchema<typeof dataEntries, undefined>>>

/** The options of a gateway. */
export interface HydraOptions<Native = unknown, Name extends string = string>
  extends DataOptions, ProgramOptions<Native> {
  /** The providers that can be called, by a name of your own: `{ openai: openai() }`. */
  readonly upstreams: Readonly<Record<Name, UpstreamOptions>>
  /** The first route that matches a request decides where it goes. With one upstream it may be left out: all goes there. */
  readonly routes?: readonly RouteOptions<NoInfer<Name>>[] | undefined
  /** The model that all requests go to, where there is one upstream and no route. */
  readonly model?: string | undefined
}

/** The options of a gateway with all names looked up: what its parts work with. */
export interface GatewayOptions<Native = unknown> extends DataOptions, ProgramOptions<Native> {
  /** The providers that can be called. */
  readonly upstreams: Readonly<Record<string, Upstream>>
  /** The first one that matches a request decides where it goes. */
  readonly routes: readonly Route[]
}

/** What only programs can give. */
interface ProgramOptions<Native> {
  /** How much is remembered for clients whose protocol refers back to earlier answers, or where it is kept. */
  readonly memory?: Readonly<v.InferInput<typeof memory>> | Memory | SharedMemory | undefined
  /** Which keys and upstreams are left alone, where several gateways shall know it together. */
  readonly rests?: UpstreamRests | undefined
  /** What is done when a conversation runs in circles; by default nothing is looked for. */
  readonly loopGuard?: LoopGuardOptions | undefined
  /**
   * Called before anything else is done with a request. `true` lets it in, `false` refuses it, a `HubError` refuses it
   * with words for the client, and an identity says who calls: that client's limits count then. Anything else
   * is a mistake: it is written to the console, and the client gets 500 without a word of it.
   */
  readonly authorize?: ((info: RequestInfo<Native>) => Authorization | Promise<Authorization>) | undefined
  /** Counts what the clients use that `authorize` has named; `@hydra/team` has one. */
  readonly limiter?: Limiter | undefined
  /** Called once per exchange with a model and per refused request, when it is over. */
  readonly onExchange?: ((report: ExchangeReport, native: Native) => void) | undefined
  /** Who follows exchanges while they happen: metrics, traces, a log. */
  readonly observers?: readonly GatewayObserver[] | undefined
  /**
   * What `GET /metrics` answers, in Prometheus's text format; by default there is no such endpoint. It needs a guard
   * or `authorize`: figures are not for everybody.
   */
  readonly metrics?: (() => string | Promise<string>) | undefined
  /** What `GET /session?id=…` answers about a session of a client; by default there is no such endpoint. */
  readonly sessions?: ((id: string) => unknown) | undefined
  /** Knows what exchanges cost; `@hydra/prices` has the lists. By default no report has a cost. */
  readonly prices?: Prices | undefined
  /** Writes down the traffic of all exchanges with a model, byte for byte; `@hydra/tape` has one. */
  readonly traffic?: TrafficRecorder | undefined
  /** Shows exchanges while they happen, on a page below `/_hydra/`; by default there is none. */
  readonly inspector?: GatewayInspector | undefined
  /** How upstreams are called; by default with the runtime's `fetch`. */
  readonly transport?: Transport | undefined
  /** Makes the unique part of message and request ids; by default it is random. */
  readonly newId?: (() => string) | undefined
}

/** The defaults. Real clients wait six minutes for headers, so waiting for a slow model is safe. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  firstByte: 600_000,
  idle: 120_000,
  keepAlive: 15_000,
  grace: 2000,
  client: 600_000,
}
export const DEFAULT_RETRIES: Retries = { times: 2, budget: 60_000, pause: 500 }
export const DEFAULT_LIMITS: Limits = { body: 32 * 1024 * 1024, answer: 64 * 1024 * 1024 }
export const DEFAULT_BREAKER: BreakerLimits = {
  consecutive: 5,
  share: 0.5,
  leastCalls: 20,
  window: 30_000,
  rest: 30_000,
}
