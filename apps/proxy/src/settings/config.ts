import type { ChatProfile, LoopGuardOptions, ProfileName } from '@hydra/core'
import type { BreakerLimits, Limits, Retries, Route, RouteTarget, Timeouts, Upstream } from '@hydra/gateway'

/** The fields of a profile that a configuration can change. */
type Overridable = Omit<ChatProfile, 'name' | 'models' | 'callIds' | 'schema'>

/** An upstream as the configuration writes it. */
export interface ConfiguredUpstream {
  /** The protocol it speaks; by default that of its profile. */
  readonly dialect?: Upstream['dialect']
  /** A base URL, or the full address of the endpoint; by default the provider's. No user and no password in it. */
  readonly url?: string
  /** `env:NAME`, the environment variable with its key; never the key itself. By default the provider's variable. */
  readonly key?: string
  /** What the provider does differently; by default the upstream's own name if it is a provider's, else `generic`. */
  readonly profile?: ProfileName
  /** What it does otherwise than its profile says; `null` takes away what the profile has. */
  readonly overrides?: { readonly [Name in keyof Overridable]?: Overridable[Name] | null }
  /** Headers that go along with every call; not for keys. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it is left alone for a while when it keeps failing; by default where a route has a fallback for it. */
  readonly breaker?: boolean
}

/** Where a call goes: a name from `upstreams`, and that upstream's name for the model. */
export interface ConfiguredTarget<Name extends string = string> extends RouteTarget {
  /** A name from `upstreams`. */
  readonly upstream: Name
}

/** A route as the configuration writes it. */
export interface ConfiguredRoute<Name extends string = string> extends Omit<
  Route,
  'name' | 'upstream' | 'fallbacks'
> {
  /** What log lines call it; by default `route 1`, `route 2` … */
  readonly name?: string
  /** A name from `upstreams`. */
  readonly upstream: Name
  /** Where to go when the upstream fails before its first byte, in this order. */
  readonly fallbacks?: readonly ConfiguredTarget<Name>[]
}

/** How long things may take, in milliseconds. */
export interface ConfiguredTimeouts extends Partial<Timeouts> {
  /** To open a connection to an upstream (10000). */
  readonly connect?: number
  /** For streams to finish after the first signal (30000). */
  readonly drain?: number
}

/** What is done about loops, as the configuration writes it. */
export type ConfiguredLoopGuard = Omit<LoopGuardOptions, 'mode'> & {
  /** Look for nothing, log it, notify the model, or end the turn. */
  readonly mode: LoopGuardOptions['mode'] | 'off'
}

/** The configuration of the proxy. */
export interface Config<Name extends string = string> {
  /** The port to listen on (3456); 0 takes any that is free. */
  readonly port?: number
  /** The address to listen on (127.0.0.1); off loopback a key is needed. */
  readonly host?: string
  /** How many processes serve (1), at most 256. */
  readonly workers?: number
  /** `env:NAME`, the environment variable with the key that clients must bring. */
  readonly key?: string
  /** Host names under which the server may be called, besides those of this machine. */
  readonly hosts?: readonly string[]
  /** Origins of web pages that may call; by default none. */
  readonly origins?: readonly string[]
  /** The providers that can be called, by a name of your own. */
  readonly upstreams?: Readonly<Record<Name, ConfiguredUpstream>>
  /** Where requests go: the first route that matches. */
  readonly routes?: readonly ConfiguredRoute<NoInfer<Name>>[]
  /** The names that `GET /v1/models` lists; by default those that the routes name. */
  readonly models?: readonly string[]
  readonly timeouts?: ConfiguredTimeouts
  /** Tries before the first byte. */
  readonly retries?: Partial<Retries>
  readonly limits?: Partial<Limits>
  /** When an upstream that keeps failing is left alone for a while. */
  readonly breaker?: Partial<BreakerLimits>
  /** What is done when a conversation runs in circles. */
  readonly loopGuard?: ConfiguredLoopGuard
}

/** Gives a configuration in TypeScript its types: editors complete keys, and a route to an unknown upstream is an error. */
export function defineConfig<Name extends string>(config: Config<Name>): Config<Name> {
  return config
}
