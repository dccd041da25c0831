import { didYouMean, type Environment, UsageError } from '@hydra/cli'
import type { Profile, ProfileName } from '@hydra/core'
import { type GatewayOptions, type Route, Secret, type Upstream } from '@hydra/gateway'
import {
  checkRoutes,
  dialectForModels,
  faultOfAddress,
  modelsAskedOf,
  namedRoutes,
  noAddressOf,
} from '@hydra/gateway/schema'
import type { ConfiguredUpstream } from '../config/config.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { readSecret } from '../config/read-secret.ts'
import { dialectFor, PROVIDERS, providerNamed, spokenIn } from './providers.ts'

/** What the configuration says to the gateway: names are looked up, keys are taken from the environment. */
export function gatewayOptionsOf(source: ConfigFile, env: Environment): GatewayOptions {
  const { models, timeouts = {}, retries = {}, limits = {}, breaker = {} } = source.config
  const { connect: _connect, drain: _drain, ...gatewayTimeouts } = timeouts
  const upstreams = upstreamsOf(source, env)
  const routes = routesOf(source, upstreams)
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

/** All upstreams; of several mistakes, such as variables that are not set, the lines of all. */
function upstreamsOf(source: ConfigFile, env: Environment): Readonly<Record<string, Upstream>> {
  const faults: string[] = []
  const upstreams = Object.entries(source.config.upstreams ?? {}).flatMap(([name, upstream]) => {
    try {
      return [[name, upstreamOf({ name, upstream, source, env })] as const]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error.message)
      return []
    }
  })
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return Object.fromEntries(upstreams)
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
  const dialect = upstream.dialect ?? wantedDialect(profileName, entry)
  const spoken = spokenIn(profileName, dialect)
  const url = upstream.url ?? spoken.url
  if (url === undefined) throw source.fault(['upstreams', name], withoutUrl(upstream.profile ?? name))
  const fault = faultOfAddress(url)
  if (fault !== undefined) throw source.fault(['upstreams', name, 'url'], fault)
  return {
    dialect,
    url,
    key: keyOf(entry, PROVIDERS[profileName].keyVariable),
    ...keysOf(entry),
    profile: withOverrides(spoken.profile, upstream.overrides),
    ...(upstream.headers === undefined ? {} : { headers: upstream.headers }),
    ...(upstream.translate === undefined ? {} : { translate: upstream.translate }),
    ...(upstream.breaker === undefined ? {} : { breaker: upstream.breaker }),
  }
}

/** Says why a url is needed: a misspelt provider looks like a server of one's own. */
function withoutUrl(profile: string): string {
  if (providerNamed(profile) !== undefined) return noAddressOf(profile)
  const hint = didYouMean(profile, Object.keys(PROVIDERS))
  return ['it needs a url, or the name of a provider that is known', hint ?? []].flat().join('; ')
}

/** The dialect that the provider wants for the models that routes ask it for. */
function wantedDialect(
  provider: ProfileName,
  { name, upstream, source }: UpstreamEntry,
): Upstream['dialect'] {
  if (upstream.url !== undefined) return dialectFor(provider, upstream.url)
  return dialectForModels(PROVIDERS[provider], modelsAskedOf(name, source.config.routes ?? []))
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
  const secret = readSecret(upstream.key, env)
  if (secret instanceof Secret) return secret
  throw source.fault(['upstreams', name, 'key'], secret)
}

/** Several keys that take turns. */
function keysOf({ name, upstream, source, env }: UpstreamEntry): Pick<Upstream, 'keys'> {
  if (upstream.keys === undefined) return {}
  if (upstream.key !== undefined) {
    throw source.fault(['upstreams', name, 'keys'], 'there is a key already; leave out one of the two')
  }
  const keys = upstream.keys.map(({ key, label, weight }, index) => {
    const secret = readSecret(key, env)
    if (!(secret instanceof Secret)) throw source.fault(['upstreams', name, 'keys', index, 'key'], secret)
    return { key: secret, label: label ?? `key ${index + 1}`, weight }
  })
  return { keys }
}

/** The routes, if no fault is in them: of several the lines of all. */
function routesOf(source: ConfigFile, upstreams: Readonly<Record<string, Upstream>>): readonly Route[] {
  const routes = source.config.routes ?? []
  // Without any, what was typed may say where requests go.
  const faults = routes.length === 0 ? [] : checkRoutes(routes, upstreams)
  if (faults.length > 0) {
    throw new UsageError(faults.map(({ path, message }) => source.fault(path, message).message).join('\n'))
  }
  return namedRoutes(routes)
}
