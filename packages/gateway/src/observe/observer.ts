import type { DialectName, HeaderValues, HubError, HubRequest, Profile } from '@hydra/core'
import type { AgentIdentity } from '../exchange/agent.ts'
import type { ExchangeReport } from '../exchange/report.ts'
import type { GatewayOptions } from '../options.ts'
import type { BreakerState } from '../upstream/breaker.ts'

/** Follows exchanges while they happen. What it throws is logged and changes nothing for the client. */
export interface GatewayObserver {
  /** The gateway is made; what it gives here may be looked at any time. */
  attach?(state: GatewayState): void
  /** A request came in. Returns the observer of this exchange, or nothing if none is wanted. */
  begin(exchange: BegunExchange): ExchangeObserver | undefined
}

/** What can be seen of a gateway from outside. */
export interface GatewayState {
  readonly options: Pick<GatewayOptions<never>, 'upstreams' | 'routes'>
  /** The state of each breaker, by the name of its upstream. */
  breakers(): ReadonlyMap<string, BreakerState>
}

/** A request of which only the head is known. */
export interface BegunExchange {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly headers: HeaderValues
  /** The dialect that the client speaks. */
  readonly client: DialectName
  readonly agent: AgentIdentity
}

/** Where an exchange goes. */
export interface ObservedTarget {
  readonly route: string
  readonly upstream: string
  /** The upstream's name for the model. */
  readonly model: string
  readonly dialect: DialectName
  readonly url: string
  /** What its provider does differently; named like the provider where that is known. */
  readonly profile: Profile
}

/** A try that failed before the client was sent anything. */
export interface FailedTry {
  readonly upstream: string
  readonly model: string
  readonly error: HubError
  /** How long the try took, in milliseconds; 0 if it was not even begun. */
  readonly duration: number
  /** After how many milliseconds the same upstream is tried again, if it is. */
  readonly pause?: number | undefined
}

/** Hears what becomes of one exchange, in this order. Everything but the end may be left out, and nobody waits for it. */
export interface ExchangeObserver {
  /** The request was read and understood. */
  request?(request: HubRequest): void
  /** It goes to a target; further ones are fallbacks. */
  target?(target: ObservedTarget): void
  /** A call begins: headers that go along with it. */
  headers?(): Readonly<Record<string, string>>
  failed?(failure: FailedTry): void
  /** The client is sent the head of its answer. */
  began?(status: number): void
  /** Bytes of an answer, as they were read from the upstream. */
  read?(bytes: Uint8Array): void
  /** A piece of a stream goes to the client; the time is of a clock that counts milliseconds and never jumps. */
  piece?(now: number): void
  /** It is over. */
  done(report: ExchangeReport): void
}
