import { defaultProfile, type ResponsesProfile } from '../dialects/openai-responses/profile.ts'
import type { Effort, ModelRule } from '../profiles/profile.ts'

const LOW_TO_HIGH = ['low', 'medium', 'high'] as const

function efforts(...levels: Effort[]): Pick<ResponsesProfile, 'reasoning'> {
  return { reasoning: { kind: 'effort', levels } }
}

/** Models that answer without reasoning refuse to be asked for any of it. */
const WITHOUT_REASONING = {
  reasoning: { kind: 'fixed' },
  encryptsReasoning: false,
  takesVerbosity: false,
} as const

const models: readonly ModelRule<ResponsesProfile>[] = [
  { pattern: /^(gpt-[34]|chatgpt-4)/, overrides: WITHOUT_REASONING },
  { pattern: /^gpt-3\.5/, overrides: { maxOutputTokens: 4096, responseFormat: 'json_object' } },
  { pattern: /^gpt-4(-|$)/, overrides: { maxOutputTokens: 8192, responseFormat: 'json_object' } },
  { pattern: /^(gpt-4o|chatgpt-4o)/, overrides: { maxOutputTokens: 16_384 } },
  { pattern: /^gpt-4\.1/, overrides: { maxOutputTokens: 32_768 } },
  {
    pattern: /^o\d/,
    overrides: {
      ...efforts(...LOW_TO_HIGH),
      takesSampling: false,
      takesVerbosity: false,
      maxOutputTokens: 100_000,
    },
  },
  {
    pattern: /^gpt-[5-9]/,
    overrides: { ...efforts('minimal', ...LOW_TO_HIGH), takesSampling: false, maxOutputTokens: 128_000 },
  },
  { pattern: /^gpt-5\.[123]/, overrides: efforts('none', ...LOW_TO_HIGH, 'xhigh') },
  {
    pattern: /^gpt-(5\.([4-9]|\d\d)|[6-9])/,
    overrides: efforts('none', 'minimal', ...LOW_TO_HIGH, 'xhigh', 'max'),
  },
  { pattern: /^(gpt-5-codex|gpt-5\.1-codex|codex)/, overrides: efforts(...LOW_TO_HIGH) },
  { pattern: /^gpt-5-pro/, overrides: efforts('high') },
  {
    pattern: /^gpt-5(\.\d)?-chat/,
    overrides: { ...WITHOUT_REASONING, takesSampling: true, maxOutputTokens: 16_384 },
  },
]

/** OpenAI's own Responses API. */
const openai: ResponsesProfile = {
  ...defaultProfile,
  name: 'openai',
  takesStreamOptions: true,
  takesServiceTier: true,
  models,
}

/** Azure's deployments of the same models; the deployment's name should contain the model's. */
const azure: ResponsesProfile = {
  ...openai,
  name: 'azure',
  keyHeader: 'api-key',
  takesSafetyIdentifier: false,
  takesServiceTier: false,
  takesStreamOptions: false,
}

/** What the providers that are known for it do differently in the Responses API. */
export const responsesProfiles = { openai, azure } as const

/**
 * The models for which OpenAI wants Chat Completions. From `gpt-5.4` on tools and reasoning go together only in the
 * Responses API, and some models are found nowhere else.
 */
export const CHAT_MODELS: RegExp =
  /^(?!gpt-(5\.([4-9]|\d\d)|[6-9])|gpt-\d(\.\d+)?-(pro|codex)|o\d(-mini)?-(pro|deep-research)|codex-|computer-use)/
