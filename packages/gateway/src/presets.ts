import { amazonQ as amazonQDialect, type Provider, providers } from '@hydra/core'
import type { ProvidedUpstream } from './options.ts'
import { OptionsError } from './options-error.ts'
import { faultAt } from './schema/fault.ts'
import { Secret } from './secret.ts'

/** What a preset may be told; the rest is known of the provider. */
export interface PresetOptions extends Omit<ProvidedUpstream, 'provider' | 'key'> {
  /** Its key; by default what is in the provider's variable, where the runtime has `process.env`. */
  readonly key?: string | Secret | undefined
}

/** Makes the upstream of a provider. */
export type Preset = (options?: PresetOptions) => ProvidedUpstream

/** OpenAI, with the key of `OPENAI_API_KEY`. */
export const openai: Preset = presetOf(providers.openai)
/** Azure OpenAI, at your own `url`, with the key of `AZURE_OPENAI_API_KEY`. */
export const azure: Preset = presetOf(providers.azure)
/** OpenRouter, with the key of `OPENROUTER_API_KEY`. */
export const openrouter: Preset = presetOf(providers.openrouter)
/** DeepSeek, with the key of `DEEPSEEK_API_KEY`. */
export const deepseek: Preset = presetOf(providers.deepseek)
/** Google's Gemini, with the key of `GEMINI_API_KEY`. */
export const gemini: Preset = presetOf(providers.gemini)
/** Gemini on Vertex, at your own `url`, with the token of `VERTEX_ACCESS_TOKEN`. */
export const vertex: Preset = presetOf(providers.vertex)
/** Mistral, with the key of `MISTRAL_API_KEY`. */
export const mistral: Preset = presetOf(providers.mistral)
/** Groq, with the key of `GROQ_API_KEY`. */
export const groq: Preset = presetOf(providers.groq)
/** Moonshot, with the key of `MOONSHOT_API_KEY`. */
export const moonshot: Preset = presetOf(providers.moonshot)
/** Z.ai, with the key of `ZAI_API_KEY`. */
export const zhipu: Preset = presetOf(providers.zhipu)
/** Qwen at DashScope, with the key of `DASHSCOPE_API_KEY`. */
export const qwen: Preset = presetOf(providers.qwen)
/** Ollama on this machine; it needs no key. */
export const ollama: Preset = presetOf(providers.ollama)
/** vLLM on this machine, or at its `url`. */
export const vllm: Preset = presetOf(providers.vllm)
/** LM Studio on this machine. */
export const lmstudio: Preset = presetOf(providers.lmstudio)
/** llama.cpp on this machine. */
export const llamacpp: Preset = presetOf(providers.llamacpp)
/** Anthropic, with the key of `ANTHROPIC_API_KEY`. */
export const anthropic: Preset = presetOf(providers.anthropic)
/** Amazon Q, at your own `url`, with the token of `AMAZON_Q_TOKEN`. */
export const amazonQ: Preset = presetOf(providers[amazonQDialect.name])
/** Any server that speaks Chat Completions, at its `url`. */
export const generic: Preset = presetOf(providers.generic)

function presetOf(provider: Provider): Preset {
  return (said = {}) => {
    if (typeof said !== 'object' || said === null) {
      throw new OptionsError([
        faultAt([], 'expected an object such as { key }, because a preset takes no bare value'),
      ])
    }
    const { key, ...options } = said
    // A variable that is set to nothing is as good as none.
    const given = key || (options.keys === undefined ? ownKey(provider, options.url) : undefined)
    return { provider, ...options, key: typeof given === 'string' ? new Secret(given) : given }
  }
}

/** Read when the preset is called: there is no `process` on some runtimes. A key goes to its own provider only. */
function ownKey({ keyVariable, url: own }: Provider, url: string | undefined): string | undefined {
  if (keyVariable === undefined || (own !== undefined && url !== undefined && url !== own)) return undefined
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } }
  return process?.env?.[keyVariable] || undefined
}
