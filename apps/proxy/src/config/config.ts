import type { RouteOptions } from '@hydra/gateway'
import type * as v from 'valibot'
import type { ConfiguredUpstream, team, WrittenConfig } from './schema.ts'

export type { ConfiguredBudget, ConfiguredKey, ConfiguredLoopGuard, ConfiguredUpstream } from './schema.ts'

/** A route as the configuration writes it. */
export type ConfiguredRoute = RouteOptions

/** How the replicas of a team share a store. */
export type ConfiguredTeam = Readonly<v.InferInput<typeof team>>

/** Prices by the name of an upstream and then by model, in which `*` stands for any characters. */
export type ConfiguredPrices = NonNullable<WrittenConfig['prices']>

/** The configuration of the proxy. */
export interface Config<Name extends string = string> extends Omit<WrittenConfig, 'upstreams' | 'routes'> {
  /** The providers that can be called, by a name of your own. */
  readonly upstreams?: Readonly<Record<Name, ConfiguredUpstream>> | undefined
  /** Where requests go: the first route that matches. */
  readonly routes?: readonly RouteOptions<NoInfer<Name>>[] | undefined
}

/** Gives a configuration in TypeScript its types: editors complete keys, and a route to an unknown upstream is an error. */
export function defineConfig<Name extends string>(config: Config<Name>): Config<Name> {
  return config
}
