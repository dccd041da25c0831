import { type ProfileName, profiles } from '@hydra/core'
import { Secret, type Upstream } from '@hydra/gateway'
import type { CliOptions } from '../cli/options.ts'
import { UsageError } from '../cli/usage-error.ts'
import type { Environment } from './environment.ts'
import { PROVIDERS, providerNamed } from './providers.ts'

/** What the command line or the environment says of the one model to call. */
export interface NamedTarget {
  readonly upstream: Upstream
  readonly provider: ProfileName
  readonly model: string
}

/** Reads the one model to call, if there is one. */
export function readTarget(options: CliOptions, env: Environment): NamedTarget | undefined {
  const { url, provider: typedProvider, model } = typedTarget(options, env)
  const provider = readProvider(typedProvider ?? 'openai')
  const key = targetKey(PROVIDERS[provider].keyVariable, url, env)
  if ((url ?? typedProvider ?? model) === undefined && key === undefined) return undefined
  const address = addressFor(provider, url)
  expectKey(provider, key, url)
  if (model === undefined) {
    throw new UsageError(`which model of ${provider}? Say --model NAME, or unset its key to see the demo`)
  }
  const dialect = provider === 'anthropic' ? 'anthropic' : 'openai-chat'
  return { provider, model, upstream: { dialect, url: address, key, profile: profiles[provider] } }
}

interface TypedTarget {
  readonly url: string | undefined
  readonly provider: string | undefined
  readonly model: string | undefined
}

/** What was typed, or set; an empty variable is as good as none. */
function typedTarget(options: CliOptions, env: Environment): TypedTarget {
  return {
    url: options['target-url'] ?? (env['HYDRA_TARGET_URL'] || undefined),
    provider: options.provider ?? (env['HYDRA_TARGET_PROVIDER'] || undefined),
    model: options.model ?? (env['HYDRA_TARGET_MODEL'] || undefined),
  }
}

/** Providers in the network want their key; an address that was typed may do without. */
function expectKey(provider: ProfileName, key: Secret | undefined, typedUrl: string | undefined): void {
  const { keyVariable } = PROVIDERS[provider]
  if (key !== undefined || keyVariable === undefined || typedUrl !== undefined) return
  throw new UsageError(`--provider ${provider} needs a key: set ${keyVariable}`)
}

function addressFor(provider: ProfileName, typedUrl: string | undefined): string {
  const address = typedUrl ?? PROVIDERS[provider].url
  if (address !== undefined) return checkedUrl(address)
  throw new UsageError(`--provider ${provider} needs --target-url: it has no address of its own`)
}

function readProvider(name: string): ProfileName {
  const provider = providerNamed(name)
  if (provider !== undefined) return provider
  throw new UsageError(`--provider ${name} is not known; known are ${Object.keys(PROVIDERS).join(', ')}`)
}

/** A key goes to its own provider; OpenAI's may also go to an address that was typed for it. */
function targetKey(
  variable: string | undefined,
  typedUrl: string | undefined,
  env: Environment,
): Secret | undefined {
  const own = variable === undefined ? undefined : env[variable]
  const value = own || (typedUrl === undefined ? undefined : env['OPENAI_API_KEY'])
  return value ? new Secret(value) : undefined
}

/** Refuses what is not an address of a server. */
export function checkedUrl(address: string): string {
  const url = URL.parse(address)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return address
  throw new UsageError(`--target-url ${address} is not an http or https address`)
}
