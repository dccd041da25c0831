import { type ChatProfile, defaultProfile as generic, MISTRAL } from '../dialects/openai-chat/profile.ts'
import { azure, openai } from './openai.ts'

const LOW_TO_HIGH = ['low', 'medium', 'high'] as const

const openrouter: ChatProfile = {
  ...generic,
  systemMidway: 'keep',
  emptyResult: '',
  takesDocuments: true,
  takesTopK: true,
  takesParallelToolCalls: true,
  takesCustomTools: true,
  replaysThinking: 'reasoning',
  reasoning: { kind: 'effort', levels: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] },
  takesPromptCacheKey: true,
  models: [
    MISTRAL,
    { pattern: /^~?anthropic\//, overrides: { replaysSignedThinking: true, takesCacheControl: true } },
  ],
}

const deepseek: ChatProfile = {
  ...generic,
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

const gemini: ChatProfile = {
  ...generic,
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

const mistral: ChatProfile = {
  ...generic,
  ...MISTRAL.overrides,
  refusesThinking: true,
  contentBesideCalls: '',
  callIds: { maxLength: 9, pattern: /^[a-zA-Z0-9]{9}$/ },
  requiredToolChoice: 'any',
  takesParallelToolCalls: true,
  takesStreamOptions: false,
}

const groq: ChatProfile = {
  ...generic,
  systemMidway: 'keep',
  refusesThinking: true,
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

const moonshot: ChatProfile = {
  ...generic,
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

const zhipu: ChatProfile = {
  ...generic,
  maxStopSequences: 1,
  responseFormat: 'json_object',
  replaysThinking: 'reasoning_content',
  reasoning: {
    kind: 'switch',
    on: { thinking: { type: 'enabled' } },
    off: { thinking: { type: 'disabled' } },
  },
}

const qwen: ChatProfile = {
  ...generic,
  contentBesideCalls: '',
  takesTopK: true,
  takesParallelToolCalls: true,
  responseFormat: 'json_object',
  reasoning: { kind: 'switch', on: { enable_thinking: true }, off: { enable_thinking: false } },
}

const ollama: ChatProfile = {
  ...generic,
  systemMidway: 'keep',
  contentBesideCalls: '',
  replaysThinking: 'reasoning',
  takesAnySchema: true,
  reasoning: { kind: 'effort', levels: ['none', ...LOW_TO_HIGH] },
}

const vllm: ChatProfile = {
  ...generic,
  takesTopK: true,
  takesAnySchema: true,
  takesParallelToolCalls: true,
  maxStopSequences: 64,
  replaysThinking: 'reasoning_content',
  models: [
    MISTRAL,
    { pattern: /gpt-oss/, overrides: { reasoning: { kind: 'effort', levels: LOW_TO_HIGH } } },
  ],
}

const lmstudio: ChatProfile = {
  ...generic,
  takesTopK: true,
  takesAnySchema: true,
  maxStopSequences: 16,
  models: [
    MISTRAL,
    { pattern: /gpt-oss/, overrides: { reasoning: { kind: 'effort', levels: LOW_TO_HIGH } } },
  ],
}

const llamacpp: ChatProfile = {
  ...generic,
  takesTopK: true,
  takesAnySchema: true,
  takesParallelToolCalls: true,
  maxStopSequences: 64,
  replaysThinking: 'reasoning_content',
}

/** Anthropic's own Chat Completions. */
const anthropic: ChatProfile = {
  ...generic,
  keyHeader: 'x-api-key',
  systemMidway: 'keep',
  emptyResult: '',
  takesDocuments: true,
  toolNameLength: 128,
  callIds: { maxLength: 256, pattern: /^[a-zA-Z0-9_-]+$/ },
}

const PROFILES = {
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
  generic,
  anthropic,
} satisfies Readonly<Record<string, ChatProfile>>

/** The providers that speak Chat Completions. */
export type ChatProviderName = keyof typeof PROFILES

/** What each of them does differently there. */
export const chatProfiles: Readonly<Record<ChatProviderName, ChatProfile>> = Object.fromEntries(
  Object.entries(PROFILES).map(([name, profile]) => [name, { ...profile, name }]),
) as Record<ChatProviderName, ChatProfile>
