import * as fc from 'fast-check'
import type { TestTarget } from './encode.ts'
import type { ChatProfileName } from './upstream-limits.ts'

const MODELS: Readonly<Record<ChatProfileName, readonly string[]>> = {
  openai: ['gpt-4o', 'gpt-4', 'o3-mini', 'gpt-5', 'gpt-5.2', 'gpt-5.6'],
  azure: ['gpt-4o', 'gpt-5'],
  openrouter: ['some/model'],
  deepseek: ['deepseek-chat', 'deepseek-reasoner'],
  gemini: ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.0-flash'],
  mistral: ['mistral-large-latest'],
  groq: ['llama-3.3-70b-versatile', 'openai/gpt-oss-120b', 'qwen/qwen3-32b'],
  moonshot: ['kimi-k2.5', 'kimi-k2-turbo'],
  zhipu: ['glm-4.6'],
  qwen: ['qwen3-max'],
  ollama: ['qwen3:8b'],
  vllm: ['some-model', 'openai/gpt-oss-20b'],
  lmstudio: ['some-model'],
  llamacpp: ['some-model'],
  generic: ['some-model'],
}

/** A target that names its profile. */
export interface NamedTarget extends TestTarget {
  readonly profile: ChatProfileName
  readonly model: string
}

/** Every profile that speaks Chat Completions, with models that its rules tell apart. */
export const TARGETS: readonly NamedTarget[] = Object.entries(MODELS).flatMap(([profile, models]) =>
  models.map((model) => ({ profile: profile as ChatProfileName, model })),
)

/** One of them. */
export const target: fc.Arbitrary<NamedTarget> = fc.constantFrom(...TARGETS)
