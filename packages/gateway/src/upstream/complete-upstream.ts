import { type DialectName, dialectFor, type Provider, spokenBy } from '@hydra/core'
import type { RouteOptions, Upstream, UpstreamKey, UpstreamOptions } from '../options.ts'
import { type Fault, faultAt } from '../schema/fault.ts'
import { faultOfAddress } from './address-fault.ts'

/**
 * What a provider speaks at an address, where nothing else is said. What it wants for a model is known of the provider
 * itself only: at another address another server may answer, which speaks what most do.
 */
export function dialectAt(provider: Provider, url: string | undefined, model: string = ''): DialectName {
  const { speaks, url: own } = provider
  const there = speaks.find((spoken) => spoken.url !== undefined && url?.startsWith(spoken.url))
  return there?.dialect ?? dialectFor(provider, url === own ? model : '')
}

/**
 * The dialect that a provider wants for several models. Where they differ, it is the one that not all of them need:
 * it takes the others as well.
 */
export function dialectForModels(provider: Provider, models: readonly string[]): DialectName {
  const usual = dialectAt(provider, undefined)
  const wanted = models.map((model) => dialectAt(provider, provider.url, model))
  return wanted.find((dialect) => dialect !== usual) ?? usual
}

/** The models that routes ask an upstream for. */
export function modelsAskedOf(name: string, routes: readonly RouteOptions[]): readonly string[] {
  // What passes unchanged is for clients of one dialect, whatever other routes ask for.
  if (routes.some(({ upstream, passthrough }) => passthrough && upstream === name)) return []
  const mapped = routes.flatMap(({ upstream, models = {} }) =>
    upstream === name ? Object.values(models) : [],
  )
  const targets = [...routes, ...routes.flatMap(({ fallbacks = [] }) => fallbacks)]
  return mapped.concat(targets.flatMap(({ upstream, model = [] }) => (upstream === name ? model : [])))
}

/** An upstream of the options, by its name and with the routes that may lead to it. */
interface NamedUpstream {
  readonly name: string
  readonly upstream: UpstreamOptions
  readonly routes: readonly RouteOptions[]
}

/** The upstream with all that its provider says, or what is wrong with it. */
export function completeUpstream(named: NamedUpstream): Upstream | Fault {
  const { name, upstream, routes } = named
  const at = ['upstreams', name]
  const { dialect, url, profile } = describedBy(upstream, modelsAskedOf(name, routes))
  if (url === undefined) return faultAt(at, noAddressOf(profile.name))
  const fault = faultOfAddress(url)
  if (fault !== undefined) return faultAt([...at, 'url'], fault)
  if (upstream.key !== undefined && upstream.keys !== undefined) {
    return faultAt([...at, 'keys'], 'there is a key already; leave out one of the two')
  }
  const missing = missingKey(named, url)
  if (missing !== undefined) return faultAt(at, missing)
  const { keys, headers, breaker, translate, key } = upstream
  if (!('provider' in upstream) && keys === undefined) return upstream as Upstream
  return { dialect, url, profile, key, headers, breaker, translate, keys: keys && labelled(keys) }
}

/** The words for an upstream without an address, of a provider that runs no server for everybody. */
export function noAddressOf(provider: string): string {
  return `the provider ${provider} has no address of its own: give its url`
}

function labelled(keys: NonNullable<UpstreamOptions['keys']>): readonly UpstreamKey[] {
  return keys.map((key, index) => ({ ...key, label: key.label ?? `key ${index + 1}` }))
}

interface Described extends Pick<Upstream, 'dialect' | 'profile'> {
  readonly url: string | undefined
}

function describedBy(upstream: UpstreamOptions, models: readonly string[]): Described {
  if (!('provider' in upstream)) return upstream
  const { provider, url } = upstream
  const wanted = url === undefined ? dialectForModels(provider, models) : dialectAt(provider, url)
  const dialect = upstream.dialect ?? wanted
  const spoken = spokenBy(provider, dialect)
  return { dialect, url: url ?? spoken.url, profile: upstream.profile ?? spoken.profile }
}

/** A provider at its own address refuses every call without a key, but clients may bring their own. */
function missingKey({ name, upstream, routes }: NamedUpstream, url: string): string | undefined {
  if (!('provider' in upstream) || upstream.key !== undefined || upstream.keys !== undefined) return undefined
  const { keyVariable, url: own, name: who } = upstream.provider
  if (keyVariable === undefined || url !== own) return undefined
  const isCalled = routes.some(
    ({ upstream: first, passthrough, fallbacks = [] }) =>
      (first === name && !passthrough) || fallbacks.some((target) => target.upstream === name),
  )
  return !isCalled ? undefined : `the provider ${who} needs a key: set ${keyVariable}, or give it as key`
}
