import { type ChatProfile, defaultProfile as generic } from '../dialects/openai-chat/profile.ts'
import type { ModelRule } from '../profiles/profile.ts'

/** Reasoning models refuse sampling and stop sequences, and count their thinking in the token limit. */
const REASONING_MODEL = {
  takesSampling: false,
  maxStopSequences: 0,
  tokenLimitField: 'max_completion_tokens',
} as const

const models: readonly ModelRule<ChatProfile>[] = [
  { pattern: /^gpt-3\.5/, overrides: { maxOutputTokens: 4096, responseFormat: 'json_object' } },
  { pattern: /^gpt-4(-|$)/, overrides: { maxOutputTokens: 8192, responseFormat: 'json_object' } },
  { pattern: /^(gpt-4o|chatgpt-4o)/, overrides: { maxOutputTokens: 16_384 } },
  { pattern: /^gpt-4\.1/, overrides: { maxOutputTokens: 32_768 } },
  {
    pattern: /^o\d/,
    overrides: {
      ...REASONING_MODEL,
      // They make one call at a time, and refuse to be told so.
      takesParallelToolCalls: false,
      maxOutputTokens: 100_000,
      reasoning: { kind: 'effort', levels: ['low', 'medium', 'high'] },
    },
  },
  {
    pattern: /^gpt-[5-9]/,
    overrides: {
      ...REASONING_MODEL,
      takesVerbosity: true,
      maxOutputTokens: 128_000,
      reasoning: { kind: 'effort', levels: ['minimal', 'low', 'medium', 'high'] },
    },
  },
  {
    pattern: /^gpt-5\.[123]/,
    overrides: { reasoning: { kind: 'effort', levels: ['none', 'low', 'medium', 'high', 'xhigh'] } },
  },
  {
    // From here on Chat Completions takes function tools only without reasoning.
    pattern: /^gpt-(5\.([4-9]|\d\d)|[6-9])/,
    overrides: {
      reasoning: {
        kind: 'effort',
        levels: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
        withTools: 'none',
      },
    },
  },
  {
    pattern: /^gpt-5(\.\d)?-chat/,
    overrides: { reasoning: { kind: 'fixed' }, takesVerbosity: false, maxOutputTokens: 16_384 },
  },
]

/** OpenAI's own Chat Completions. */
export const openai: ChatProfile = {
  ...generic,
  systemMidway: 'keep',
  emptyResult: '',
  takesDocuments: true,
  takesStrictTools: true,
  takesCustomTools: true,
  takesParallelToolCalls: true,
  tokenLimitField: 'max_completion_tokens',
  takesPromptCacheKey: true,
  takesSafetyIdentifier: true,
  takesServiceTier: true,
  models: [{ pattern: /^(o\d|gpt-[5-9])/, overrides: { systemRole: 'developer' } }, ...models],
}

/** Azure's deployments of the same models; the deployment's name should contain the model's. */
export const azure: ChatProfile = {
  ...openai,
  keyHeader: 'api-key',
  takesSafetyIdentifier: false,
  takesServiceTier: false,
}
