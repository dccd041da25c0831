import {
  dialectFor as wantedDialect,
  type Profile,
  type ProfileName,
  type Provider,
  providers,
  spokenBy,
} from '@hydra/core'
import type { Upstream } from '@hydra/gateway'

/** The providers that can be named on the command line. */
export const PROVIDERS: Readonly<Record<ProfileName, Provider>> = providers

/** What a provider speaks, where nothing else is said. */
export function dialectFor(provider: ProfileName): Upstream['dialect'] {
  return wantedDialect(PROVIDERS[provider], '') as Upstream['dialect']
}

/** What a provider does differently in a dialect. */
export function profileIn(provider: ProfileName, dialect: Upstream['dialect']): Profile {
  return spokenBy(PROVIDERS[provider], dialect).profile
}

/** The name of a provider, or `undefined` for anything else. */
export function providerNamed(name: string): ProfileName | undefined {
  return Object.hasOwn(PROVIDERS, name) ? (name as ProfileName) : undefined
}
