import { type ProfileName, profiles } from '@hydra/core'
import { Secret, type Upstream } from '@hydra/gateway'
import type { CliOptions } from '../cli/options.ts'
import { UsageError } from '../cli/usage-error.ts'
import { faultOfAddress } from './addresses.ts'
import type { Environment } from './environment.ts'
import { dialectFor, PROVIDERS, providerNamed } from './providers.ts'
import { type Said, said } from './said.ts'

/** What the command line or the environment says of the one model to call. */
export interface NamedTarget {
  readonly upstream: Upstream
  readonly provider: ProfileName
  readonly model: string
}

/** Where the one model to call may be named. */
export interface TargetSources {
  readonly options: CliOptions
  readonly env: Environment
  /** With upstreams of its own a configuration may name the same variables: a key alone is no wish then. */
  readonly hasUpstreams: boolean
}

/** Reads the one model to call, if there is one. */
export function readTarget({ options, env, hasUpstreams }: TargetSources): NamedTarget | undefined {
  const url = said(['target-url', options['target-url']], env, 'HYDRA_TARGET_URL')
  const named = said(['provider', options.provider], env, 'HYDRA_TARGET_PROVIDER')
  const model = said(['model', options.model], env, 'HYDRA_TARGET_MODEL')
  const isTyped = (url ?? named ?? model) !== undefined
  const provider = readProvider(named)
  const key = targetKey(provider, url, env)
  if (!isTyped && (key === undefined || hasUpstreams)) return undefined
  const address = addressFor(provider, url)
  expectKey(provider, key, url)
  if (model === undefined) {
    throw new UsageError(`which model of ${provider}? Say --model NAME, or unset its key to see the demo`)
  }
  const upstream = { dialect: dialectFor(provider), url: address, key, profile: profiles[provider] } as const
  return { provider, model: model.value, upstream }
}

/** An address that was typed, after a look at it. */
export function checkedAddress({ name, value }: Said): string {
  const fault = faultOfAddress(value)
  if (fault === undefined) return value
  throw new UsageError(`${name}: ${fault}`)
}

/** Providers in the network want their key; an address that was typed may do without. */
function expectKey(provider: ProfileName, key: Secret | undefined, url: Said | undefined): void {
  const { keyVariable } = PROVIDERS[provider]
  if (key !== undefined || keyVariable === undefined || url !== undefined) return
  throw new UsageError(`the provider ${provider} needs a key: set ${keyVariable}`)
}

function addressFor(provider: ProfileName, url: Said | undefined): string {
  if (url !== undefined) return checkedAddress(url)
  const own = PROVIDERS[provider].url
  if (own !== undefined) return own
  throw new UsageError(`the provider ${provider} has no address of its own: say --target-url URL`)
}

function readProvider(named: Said | undefined): ProfileName {
  if (named === undefined) return 'openai'
  const provider = providerNamed(named.value)
  if (provider !== undefined) return provider
  const known = Object.keys(PROVIDERS).join(', ')
  throw new UsageError(`${named.name} ${named.value}: expected one of ${known}`)
}

/**
 * A key goes to its own provider and to an address that was typed for it.
 * Servers without a variable of their own take OpenAI's, but only at an address that was typed.
 */
function targetKey(provider: ProfileName, url: Said | undefined, env: Environment): Secret | undefined {
  const variable = PROVIDERS[provider].keyVariable ?? (url === undefined ? undefined : 'OPENAI_API_KEY')
  const value = variable === undefined ? undefined : env[variable]
  return value ? new Secret(value) : undefined
}
