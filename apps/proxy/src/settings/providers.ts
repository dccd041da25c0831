import type { ProfileName } from '@hydra/core'
import type { Upstream } from '@hydra/gateway'

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
