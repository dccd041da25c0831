import type { DialectName, HeaderValues, HubError, LoopGuardOptions, Profile } from '@hydra/core'
import type { ExchangeReport } from './exchange/report.ts'
import type { GuardOptions } from './guard.ts'
import type { MemoryLimits } from './memory/bounded-memory.ts'
import type { Route } from './route/route.ts'
import type { Secret } from './secret.ts'
import type { TrafficRecorder } from './taping/traffic.ts'
import type { BreakerLimits } from './upstream/breaker.ts'
import type { Transport } from './upstream/transport.ts'

/** A provider that can be called. Keys and addresses come from here only, never from a request. */
export interface Upstream {
  readonly dialect: DialectName
  /** A base URL such as `http://127.0.0.1:11434/v1`, or the full address of the endpoint. */
  readonly url: string
  readonly key?: Secret | undefined
  readonly profile: Profile
  /** Headers that go along with every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it is left alone for a while when it keeps failing; by default where a route has a fallback for it. */
  readonly breaker?: boolean
}

/** How long things may take, in milliseconds. */
export interface Timeouts {
  /** From a call to the first byte of the upstream's answer; each retry and each fallback has it anew, and so has a request's body. */
  readonly firstByte: number
  /** Between two reads from the upstream. */
  readonly idle: number
  /** After how much silence a client is sent a sign of life. */
  readonly keepAlive: number
  /** How long a connection may stay open after the upstream has said that it is finished. */
  readonly grace: number
}

/** How often and how long a call is tried again before its first byte reached the client. */
export interface Retries {
  readonly times: number
  /** The longest time that all tries and the pauses between them may take before another one begins, in milliseconds. */
  readonly budget: number
  /** The first pause; each further one is up to twice as long. */
  readonly pause: number
}

/** The largest things that are read. */
export interface Limits {
  /** Bytes of a request body. */
  readonly body: number
}

/** What hooks are told of a request. */
export interface RequestInfo<Native> {
  readonly method: string
  readonly path: string
  readonly headers: HeaderValues
  /** The framework's own request. */
  readonly native: Native
}

/** Everything a gateway can be told. */
export interface GatewayOptions<Native = unknown> {
  readonly upstreams: Readonly<Record<string, Upstream>>
  /** The first route that matches a request decides where it goes. */
  readonly routes: readonly Route[]
  /** The names `GET /v1/models` lists; by default those that the routes name. */
  readonly models?: readonly string[]
  readonly guard?: GuardOptions
  readonly timeouts?: Partial<Timeouts>
  readonly retries?: Partial<Retries>
  readonly limits?: Partial<Limits>
  /** How much is remembered for clients whose protocol refers back to earlier answers. */
  readonly memory?: Partial<MemoryLimits>
  /** When an upstream that keeps failing is left alone. */
  readonly breaker?: Partial<BreakerLimits>
  /** What is done when a conversation runs in circles; by default nothing is looked for. */
  readonly loopGuard?: LoopGuardOptions
  /** Called before anything else is done with a request; what it returns or throws is the client's answer. */
  readonly authorize?: (
    info: RequestInfo<Native>,
  ) => HubError | undefined | void | Promise<HubError | undefined | void>
  /** Called once per exchange with a model and per refused request, when it is over. */
  readonly onExchange?: (report: ExchangeReport, native: Native) => void
  /** Writes down the traffic of all exchanges with a model, byte for byte; `@hydra/tape` has one. */
  readonly traffic?: TrafficRecorder
  /** Adds to each report what was translated into what, message by message. */
  readonly traces?: boolean
  readonly transport?: Transport
  /** Makes the unique part of message and request ids. */
  readonly newId?: () => string
}

/** The defaults. Real clients wait six minutes for headers, so waiting for a slow model is safe. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  firstByte: 600_000,
  idle: 120_000,
  keepAlive: 15_000,
  grace: 2000,
}
export const DEFAULT_RETRIES: Retries = { times: 2, budget: 60_000, pause: 500 }
export const DEFAULT_LIMITS: Limits = { body: 32 * 1024 * 1024 }
export const DEFAULT_BREAKER: BreakerLimits = {
  consecutive: 5,
  share: 0.5,
  leastCalls: 20,
  window: 30_000,
  rest: 30_000,
}
