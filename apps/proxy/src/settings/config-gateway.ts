import type { Environment } from '@hydra/cli'
import type { Profile } from '@hydra/core'
import { type GatewayOptions, type Route, Secret, type Upstream } from '@hydra/gateway'
import { faultOfAddress } from './address.ts'
import type { ConfiguredRoute, ConfiguredUpstream } from './config.ts'
import type { ConfigFile } from './config-file.ts'
import { dialectFor, profileIn, PROVIDERS, providerNamed } from './providers.ts'

/** What the configuration says to the gateway: names are looked up, keys are taken from the environment. */
export function gatewayOptionsOf(source: ConfigFile, env: Environment): GatewayOptions {
  const { models, timeouts = {}, retries = {}, limits = {}, breaker = {} } = source.config
  const { connect: _connect, drain: _drain, ...gatewayTimeouts } = timeouts
  const upstreams = Object.fromEntries(
    Object.entries(source.config.upstreams ?? {}).map(([name, upstream]) => [
      name,
      upstreamOf({ name, upstream, source, env }),
    ]),
  )
  const routes = (source.config.routes ?? []).map((route, index) =>
    routeOf({ route, index, upstreams, source }),
  )
  return {
    upstreams,
    routes,
    timeouts: gatewayTimeouts,
    retries,
    limits,
    breaker,
    ...(models === undefined ? {} : { models }),
  }
}

interface UpstreamEntry {
  readonly name: string
  readonly upstream: ConfiguredUpstream
  readonly source: ConfigFile
  readonly env: Environment
}

function upstreamOf(entry: UpstreamEntry): Upstream {
  const { name, upstream, source } = entry
  const profileName = providerNamed(upstream.profile ?? name) ?? 'generic'
  const url = upstream.url ?? PROVIDERS[profileName].url
  if (url === undefined) throw source.fault(['upstreams', name], 'it needs a url')
  const fault = faultOfAddress(url)
  if (fault !== undefined) throw source.fault(['upstreams', name, 'url'], fault)
  const dialect = upstream.dialect ?? dialectFor(profileName)
  return {
    dialect,
    url,
    key: keyOf(entry, PROVIDERS[profileName].keyVariable),
    profile: withOverrides(profileIn(profileName, dialect), upstream.overrides),
    ...(upstream.headers === undefined ? {} : { headers: upstream.headers }),
    ...(upstream.breaker === undefined ? {} : { breaker: upstream.breaker }),
  }
}

/** What is configured counts more than the profile's own rules for some models, so it is the last rule. */
function withOverrides(profile: Profile, overrides: ConfiguredUpstream['overrides']): Profile {
  if (overrides === undefined) return profile
  const values = Object.entries(overrides).map(([name, value]) => [
    name,
    // JSON has no undefined; only here null is a value of its own.
    value === null && name !== 'contentBesideCalls' ? undefined : value,
  ])
  // The header of the key is read from the profile itself, before a model is known.
  const { keyHeader = profile.keyHeader } = overrides as Partial<Profile>
  const rule = { pattern: /^/, overrides: Object.fromEntries(values) as Partial<Profile> }
  return { ...profile, keyHeader, models: [...profile.models, rule] }
}

/** The key that is named; without one a provider at its own address gets its own, if that is set. */
function keyOf({ name, upstream, source, env }: UpstreamEntry, own: string | undefined): Secret | undefined {
  if (upstream.key === undefined) {
    const value = own === undefined || upstream.url !== undefined ? undefined : env[own]
    return value ? new Secret(value) : undefined
  }
  const variable = upstream.key.replace(/^env:/, '')
  const value = env[variable]
  if (value) return new Secret(value)
  throw source.fault(['upstreams', name, 'key'], `the environment variable ${variable} is not set`)
}

interface RouteEntry {
  readonly route: ConfiguredRoute
  readonly index: number
  readonly upstreams: Readonly<Record<string, Upstream>>
  readonly source: ConfigFile
}

function routeOf(entry: RouteEntry): Route {
  const { route, index, upstreams, source } = entry
  expectUpstream(entry, ['upstream'], route.upstream)
  for (const [number, { upstream }] of (route.fallbacks ?? []).entries()) {
    expectUpstream(entry, ['fallbacks', number, 'upstream'], upstream)
  }
  expectUse(entry)
  if (route.passthrough) {
    const useless = (['model', 'models', 'spoof', 'fallbacks'] as const).find(
      (key) => route[key] !== undefined,
    )
    if (useless !== undefined) {
      throw source.fault(['routes', index, useless], 'a route with passthrough changes nothing')
    }
    if (upstreams[route.upstream]?.dialect !== 'anthropic') {
      throw source.fault(
        ['routes', index, 'upstream'],
        'passthrough needs an upstream with the dialect anthropic',
      )
    }
  }
  return { name: `route ${index + 1}`, ...route }
}

/** Refuses what would silently count for nothing. */
function expectUse({ route, index, source }: RouteEntry): void {
  if (route.model !== undefined && route.models !== undefined) {
    throw source.fault(['routes', index, 'models'], 'model counts for all; leave out one of the two')
  }
  const before = (source.config.routes ?? []).slice(0, index).findIndex(takesEverything)
  if (before === -1) return
  throw source.fault(
    ['routes', index],
    `it is never reached: routes.${before} has no match and takes everything`,
  )
}

function takesEverything({ match = {} }: ConfiguredRoute): boolean {
  return Object.keys(match).length === 0
}

function expectUpstream(
  { index, upstreams, source }: RouteEntry,
  path: readonly (string | number)[],
  name: string,
): void {
  if (Object.hasOwn(upstreams, name)) return
  throw source.fault(['routes', index, ...path], `there is no upstream '${name}'`)
}
