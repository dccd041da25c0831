import type { GatewayOptions } from '@hydra/gateway'
import { passingUpstreams } from './passing-upstreams.ts'
import { PROVIDERS, providerNamed } from './providers.ts'

/** The upstreams that will refuse every request because their key is not set, with the variable it would be in. */
export function missingKeys(gateway: GatewayOptions): ReadonlyMap<string, string> {
  const passing = passingUpstreams(gateway)
  return new Map(
    Object.entries(gateway.upstreams).flatMap(([name, { key, url, profile }]) => {
      const provider = PROVIDERS[providerNamed(profile.name) ?? 'generic']
      // At another address than the provider's own nobody knows whether a key is asked for.
      const isAsked = provider.keyVariable !== undefined && provider.url === url
      if (key !== undefined || passing.has(name) || !isAsked) return []
      return [[name, provider.keyVariable] as const]
    }),
  )
}
