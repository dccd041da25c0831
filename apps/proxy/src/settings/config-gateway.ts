import { type Profile, profiles } from '@hydra/core'
import { type GatewayOptions, Secret, type Upstream } from '@hydra/gateway'
import { UsageError } from '../cli/usage-error.ts'
import type { Config, ConfiguredUpstream } from './config.ts'
import { PROVIDERS, providerNamed } from './providers.ts'
import type { Environment } from './environment.ts'

/** What the configuration says to the gateway: names are looked up, keys are taken from the environment. */
export function gatewayOptionsOf(config: Config, env: Environment): GatewayOptions {
  const upstreams = Object.entries(config.upstreams ?? {}).map(
    ([name, upstream]) => [name, upstreamOf(name, upstream, env)] as const,
  )
  const known = new Set(Object.keys(config.upstreams ?? {}))
  const routes = (config.routes ?? []).map((route, index) => {
    for (const { upstream } of [route, ...(route.fallbacks ?? [])]) {
      if (!known.has(upstream)) throw new UsageError(`routes.${index}: there is no upstream '${upstream}'`)
    }
    return Object.assign({ name: `route ${index + 1}` }, route)
  })
  const { models, timeouts = {}, retries = {}, limits = {} } = config
  return {
    upstreams: Object.fromEntries(upstreams),
    routes,
    timeouts,
    retries,
    limits,
    ...(models === undefined ? {} : { models }),
  }
}

function upstreamOf(name: string, configured: ConfiguredUpstream, env: Environment): Upstream {
  const profileName = providerNamed(configured.profile ?? name) ?? 'generic'
  const url = configured.url ?? PROVIDERS[profileName].url
  if (url === undefined) throw new UsageError(`upstreams.${name}: it needs a url`)
  return {
    dialect: configured.dialect ?? (profileName === 'anthropic' ? 'anthropic' : 'openai-chat'),
    url,
    key: keyOf(name, configured.key, env),
    profile: withOverrides(profiles[profileName], configured.overrides),
    ...(configured.headers === undefined ? {} : { headers: configured.headers }),
  }
}

/** What is configured counts more than the profile's own rules for some models, so it is the last rule. */
function withOverrides(profile: Profile, overrides: ConfiguredUpstream['overrides']): Profile {
  if (overrides === undefined) return profile
  return { ...profile, models: [...profile.models, { pattern: /^/, overrides }] }
}

function keyOf(name: string, reference: string | undefined, env: Environment): Secret | undefined {
  if (reference === undefined) return undefined
  const variable = reference.replace(/^env:/, '')
  const value = env[variable]
  if (value) return new Secret(value)
  throw new UsageError(`upstreams.${name}.key: the environment variable ${variable} is not set`)
}
