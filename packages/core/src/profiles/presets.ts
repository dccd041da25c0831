import { generic } from './generic.ts'
import { azure, openai } from './openai.ts'
import type { Profile } from './profile.ts'

const LOW_TO_HIGH = ['low', 'medium', 'high'] as const

const openrouter: Profile = {
  ...generic,
  name: 'openrouter',
  systemMidway: 'keep',
  emptyResult: '',
  takesDocuments: true,
  takesTopK: true,
  takesParallelToolCalls: true,
  replaysThinking: 'reasoning',
  reasoning: { kind: 'effort', levels: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] },
  takesPromptCacheKey: true,
}

const deepseek: Profile = {
  ...generic,
  name: 'deepseek',
  systemMidway: 'keep',
  contentBesideCalls: '',
  takesImages: false,
  // The reasoning models refuse a tool loop whose earlier thinking is missing.
  replaysThinking: 'reasoning_content',
  maxStopSequences: 16,
  responseFormat: 'json_object',
  reasoning: {
    kind: 'switch',
    on: { thinking: { type: 'enabled' } },
    off: { thinking: { type: 'disabled' } },
  },
  models: [
    { pattern: /^deepseek-chat/, overrides: { maxOutputTokens: 8192 } },
    { pattern: /^deepseek-reasoner/, overrides: { maxOutputTokens: 65_536, reasoning: { kind: 'fixed' } } },
  ],
}

const gemini: Profile = {
  ...generic,
  name: 'gemini',
  consecutiveTurns: 'merge',
  firstTurn: 'user',
  replaysThoughtSignatures: true,
  schema: {
    refusedKeywords: [
      '$schema',
      '$id',
      'additionalProperties',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'propertyNames',
      'patternProperties',
      'const',
    ],
    flattensTop: true,
  },
  maxOutputTokens: 65_536,
  reasoning: { kind: 'effort', levels: ['minimal', ...LOW_TO_HIGH] },
  models: [
    {
      pattern: /gemini-2\.5-flash/,
      overrides: { reasoning: { kind: 'effort', levels: ['none', ...LOW_TO_HIGH] } },
    },
    { pattern: /gemini-2\.0/, overrides: { maxOutputTokens: 8192, reasoning: { kind: 'fixed' } } },
  ],
}

const mistral: Profile = {
  ...generic,
  name: 'mistral',
  consecutiveTurns: 'merge',
  contentBesideCalls: '',
  callIds: { maxLength: 9, pattern: /^[a-zA-Z0-9]{9}$/ },
  requiredToolChoice: 'any',
  takesParallelToolCalls: true,
  takesStreamOptions: false,
}

const groq: Profile = {
  ...generic,
  name: 'groq',
  systemMidway: 'keep',
  takesParallelToolCalls: true,
  models: [
    { pattern: /gpt-oss/, overrides: { reasoning: { kind: 'effort', levels: LOW_TO_HIGH } } },
    // Qwen's thinking is on or off there: 'default' is its only other level.
    {
      pattern: /qwen3/,
      overrides: {
        reasoning: { kind: 'switch', on: { reasoning_effort: 'default' }, off: { reasoning_effort: 'none' } },
      },
    },
    { pattern: /llama|gemma|mixtral/, overrides: { responseFormat: 'json_object' } },
  ],
}

const moonshot: Profile = {
  ...generic,
  name: 'moonshot',
  systemMidway: 'keep',
  replaysThinking: 'reasoning_content',
  requiredToolChoice: 'required',
  responseFormat: 'json_object',
  takesPromptCacheKey: true,
  maxStopSequences: 5,
  models: [
    {
      pattern: /k2\.[5-9]|k[3-9]/,
      overrides: {
        reasoning: {
          kind: 'switch',
          on: { thinking: { type: 'enabled' } },
          off: { thinking: { type: 'disabled' } },
        },
      },
    },
  ],
}

const zhipu: Profile = {
  ...generic,
  name: 'zhipu',
  maxStopSequences: 1,
  responseFormat: 'json_object',
  replaysThinking: 'reasoning_content',
  reasoning: {
    kind: 'switch',
    on: { thinking: { type: 'enabled' } },
    off: { thinking: { type: 'disabled' } },
  },
}

const qwen: Profile = {
  ...generic,
  name: 'qwen',
  contentBesideCalls: '',
  takesTopK: true,
  takesParallelToolCalls: true,
  responseFormat: 'json_object',
  reasoning: { kind: 'switch', on: { enable_thinking: true }, off: { enable_thinking: false } },
}

const ollama: Profile = {
  ...generic,
  name: 'ollama',
  systemMidway: 'keep',
  contentBesideCalls: '',
  replaysThinking: 'reasoning',
  reasoning: { kind: 'effort', levels: ['none', ...LOW_TO_HIGH] },
}

const vllm: Profile = {
  ...generic,
  name: 'vllm',
  takesTopK: true,
  takesParallelToolCalls: true,
  maxStopSequences: 64,
  replaysThinking: 'reasoning_content',
  models: [{ pattern: /gpt-oss/, overrides: { reasoning: { kind: 'effort', levels: LOW_TO_HIGH } } }],
}

const lmstudio: Profile = {
  ...generic,
  name: 'lmstudio',
  takesTopK: true,
  maxStopSequences: 16,
  models: [{ pattern: /gpt-oss/, overrides: { reasoning: { kind: 'effort', levels: LOW_TO_HIGH } } }],
}

const llamacpp: Profile = {
  ...generic,
  name: 'llamacpp',
  takesTopK: true,
  takesParallelToolCalls: true,
  maxStopSequences: 64,
  replaysThinking: 'reasoning_content',
}

const anthropic: Profile = {
  ...generic,
  name: 'anthropic',
  keyHeader: 'x-api-key',
  systemMidway: 'keep',
  emptyResult: '',
  takesDocuments: true,
  toolNameLength: 128,
  callIds: { maxLength: 256, pattern: /^[a-zA-Z0-9_-]+$/ },
}

const amazonQ: Profile = {
  ...generic,
  name: 'amazon-q',
  contentBesideCalls: '',
  callIds: { maxLength: 64, pattern: /^[a-zA-Z0-9_-]+$/ },
  maxStopSequences: 0,
  takesSampling: false,
  takesStreamOptions: false,
  responseFormat: 'none',
}

/** The profiles that come with the package, by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  openai,
  azure,
  openrouter,
  deepseek,
  gemini,
  mistral,
  groq,
  moonshot,
  zhipu,
  qwen,
  ollama,
  vllm,
  lmstudio,
  llamacpp,
  anthropic,
  'amazon-q': amazonQ,
  generic,
}

/** The names of the profiles that come with the package. */
export type ProfileName =
  | 'openai'
  | 'azure'
  | 'openrouter'
  | 'deepseek'
  | 'gemini'
  | 'mistral'
  | 'groq'
  | 'moonshot'
  | 'zhipu'
  | 'qwen'
  | 'ollama'
  | 'vllm'
  | 'lmstudio'
  | 'llamacpp'
  | 'anthropic'
  | 'amazon-q'
  | 'generic'
