import { type DialectName, type Provider, registry } from '@hydra/core'

/** How a request of a client gets to an upstream. */
export type Way = 'relayed' | 'translated'

/** How a client's dialect gets to an upstream's: equal ones are relayed where the dialect can. */
export function wayBetween(client: DialectName, upstream: DialectName): Way {
  const canRelay = registry.upstream(upstream).relayRequest !== undefined
  return client === upstream && canRelay ? 'relayed' : 'translated'
}

/** How a client's dialect gets to a provider: in the dialect that it wants, and in others that it knows. */
export function waysTo(client: DialectName, { speaks }: Provider): string {
  const [wanted, ...others] = speaks.map(({ dialect }) => wayBetween(client, dialect))
  return wanted === 'translated' && others.includes('relayed') ? 'either' : (wanted ?? '')
}
