import { columns, didYouMean, UsageError } from '@hydra/cli'
import { type ProfileName, type Provider, providers, spokenBy, type SpokenDialect } from '@hydra/core'
import type { GatewayOptions, Upstream } from '@hydra/gateway'
import { dialectAt } from '@hydra/gateway/schema'
import type { NamedValue } from './options.ts'

/** The providers that can be named on the command line. */
export const PROVIDERS: Readonly<Record<ProfileName, Provider>> = providers

/** What a provider speaks at an address, where nothing else is said. */
export function dialectFor(
  provider: ProfileName,
  url: string | undefined,
  model: string = '',
): Upstream['dialect'] {
  return dialectAt(PROVIDERS[provider], url, model)
}

/** Where a provider speaks a dialect, and what it does differently in it. */
export function spokenIn(provider: ProfileName, dialect: Upstream['dialect']): SpokenDialect {
  return spokenBy(PROVIDERS[provider], dialect)
}

/** The name of a provider, or `undefined` for anything else. */
export function providerNamed(name: string): ProfileName | undefined {
  return Object.hasOwn(PROVIDERS, name) ? (name as ProfileName) : undefined
}

/** The provider that an option or a variable names. */
export function readProvider({ name, value }: NamedValue): ProfileName {
  const provider = providerNamed(value)
  if (provider !== undefined) return provider
  const names = Object.keys(PROVIDERS)
  const expected = [`expected one of ${names.join(', ')}`, didYouMean(value, names) ?? []].flat()
  throw new UsageError(`${name} ${value}: ${expected.join('; ')}`)
}

/** The providers, one line each with the variable of their key and their address, for the help. */
export function providerLines(): readonly string[] {
  return columns(
    Object.entries(PROVIDERS).map(([name, { keyVariable = 'no key', url }]) => [
      `${name.padEnd(12)}${keyVariable}`,
      url ?? 'at --target-url',
    ]),
  )
}

/** The names of the upstreams that requests pass to unchanged, with the credentials of the client. */
export function passingUpstreams({ routes }: GatewayOptions): ReadonlySet<string> {
  return new Set(routes.filter((route) => route.passthrough).map(({ upstream }) => upstream))
}

/** The upstreams that will refuse every request because their key is not set, with the variable it would be in. */
export function missingKeys(gateway: GatewayOptions): ReadonlyMap<string, string> {
  const passing = passingUpstreams(gateway)
  return new Map(
    Object.entries(gateway.upstreams).flatMap(([name, { key, url, profile }]) => {
      const provider = PROVIDERS[providerNamed(profile.name) ?? 'generic']
      // Whether a key is needed at another address than the provider's own is not known.
      const isAsked = provider.keyVariable !== undefined && provider.url === url
      if (key !== undefined || passing.has(name) || !isAsked) return []
      return [[name, provider.keyVariable] as const]
    }),
  )
}
