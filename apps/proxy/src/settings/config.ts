import type { ChatProfile, LoopGuardOptions } from '@hydra/core'
import type { BreakerLimits, Limits, Retries, Route, Timeouts, Upstream } from '@hydra/gateway'

/** An upstream as the configuration writes it. */
export interface ConfiguredUpstream {
  readonly dialect?: Upstream['dialect']
  readonly url?: string
  /** `env:NAME`: where the key is; never the key itself. */
  readonly key?: string
  readonly profile?: string
  /** What it does otherwise than its profile says; `null` takes away what the profile has. */
  readonly overrides?: Readonly<Record<string, unknown>> & Partial<Pick<ChatProfile, 'reasoning'>>
  readonly headers?: Readonly<Record<string, string>>
  readonly breaker?: boolean
}

/** A route as the configuration writes it: its name may be left out. */
export type ConfiguredRoute = Omit<Route, 'name'> & { readonly name?: string }

/** How long things may take, in milliseconds. */
export interface ConfiguredTimeouts extends Partial<Timeouts> {
  /** To open a connection to an upstream. */
  readonly connect?: number
  /** For streams to finish after the first signal. */
  readonly drain?: number
}

/** What is done about loops, as the configuration writes it. */
export type ConfiguredLoopGuard = Omit<LoopGuardOptions, 'mode'> & {
  readonly mode: LoopGuardOptions['mode'] | 'off'
}

/** The configuration file. */
export interface Config {
  readonly port?: number
  readonly host?: string
  readonly workers?: number
  readonly key?: string
  readonly hosts?: readonly string[]
  readonly origins?: readonly string[]
  readonly upstreams?: Readonly<Record<string, ConfiguredUpstream>>
  readonly routes?: readonly ConfiguredRoute[]
  readonly models?: readonly string[]
  readonly timeouts?: ConfiguredTimeouts
  readonly retries?: Partial<Retries>
  readonly limits?: Partial<Limits>
  readonly breaker?: Partial<BreakerLimits>
  readonly loopGuard?: ConfiguredLoopGuard
}
