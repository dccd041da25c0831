import { columns, didYouMean, UsageError } from '@hydra/cli'
import type { ProfileName } from '@hydra/core'
import type { GatewayOptions, Upstream } from '@hydra/gateway'
import type { NamedValue } from './options.ts'

/** Where a provider is found, and where its key is. */
export interface Provider {
  /** Its address; a provider that everybody runs elsewhere has none. */
  readonly url?: string
  /** The environment variable with its key; servers on one's own machine need none. */
  readonly keyVariable?: string
}

/** The providers that can be named on the command line. */
export const PROVIDERS: Readonly<Record<ProfileName, Provider>> = {
  openai: { url: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' },
  azure: { keyVariable: 'AZURE_OPENAI_API_KEY' },
  openrouter: { url: 'https://openrouter.ai/api/v1', keyVariable: 'OPENROUTER_API_KEY' },
  deepseek: { url: 'https://api.deepseek.com/v1', keyVariable: 'DEEPSEEK_API_KEY' },
  gemini: {
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
  },
  mistral: { url: 'https://api.mistral.ai/v1', keyVariable: 'MISTRAL_API_KEY' },
  groq: { url: 'https://api.groq.com/openai/v1', keyVariable: 'GROQ_API_KEY' },
  moonshot: { url: 'https://api.moonshot.ai/v1', keyVariable: 'MOONSHOT_API_KEY' },
  zhipu: { url: 'https://api.z.ai/api/paas/v4', keyVariable: 'ZAI_API_KEY' },
  qwen: {
    url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariable: 'DASHSCOPE_API_KEY',
  },
  ollama: { url: 'http://127.0.0.1:11434/v1' },
  vllm: { url: 'http://127.0.0.1:8000/v1' },
  lmstudio: { url: 'http://127.0.0.1:1234/v1' },
  llamacpp: { url: 'http://127.0.0.1:8080/v1' },
  anthropic: { url: 'https://api.anthropic.com', keyVariable: 'ANTHROPIC_API_KEY' },
  'amazon-q': { keyVariable: 'AMAZON_Q_TOKEN' },
  generic: {},
}

/** Profiles that belong to a dialect of their own; all others speak Chat Completions. */
const OWN_DIALECTS: Partial<Readonly<Record<ProfileName, Upstream['dialect']>>> = {
  anthropic: 'anthropic',
  'amazon-q': 'amazon-q',
}

/** What a provider speaks, where nothing else is said. */
export function dialectFor(profile: ProfileName): Upstream['dialect'] {
  return OWN_DIALECTS[profile] ?? 'openai-chat'
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
      // At another address than the provider's own nobody knows whether a key is asked for.
      const isAsked = provider.keyVariable !== undefined && provider.url === url
      if (key !== undefined || passing.has(name) || !isAsked) return []
      return [[name, provider.keyVariable] as const]
    }),
  )
}
