import type { ModelRule, Profile, ReasoningControl, SchemaRule } from '../../profiles/profile.ts'
import type { DecodeContext } from '../dialect.ts'

/** What one server does differently in Chat Completions. */
export interface ChatProfile extends Profile {
  /** The role of the system prompt. */
  readonly systemRole: 'system' | 'developer'
  /** Whether a system message may come between the turns. */
  readonly systemMidway: 'keep' | 'reminder'
  /** Whether the user may speak directly behind results; else the assistant is made to say something in between. */
  readonly userAfterResults: 'keep' | 'bridge'
  /** Whether a request may end with a turn of the assistant. */
  readonly takesPrefill: boolean
  /** The content of a turn that has nothing but calls. */
  readonly contentBesideCalls: null | ''
  /** What a result without content says. */
  readonly emptyResult: string
  /** Whether a tool message may hold images and documents. */
  readonly resultMedia: 'in-place' | 'after'
  readonly takesImages: boolean
  readonly takesDocuments: boolean

  /** Under which field the thinking of earlier turns is sent back, if at all. */
  readonly replaysThinking: 'reasoning_content' | 'reasoning' | undefined
  /** Whether a message with such a field is refused, and not only the field ignored. */
  readonly refusesThinking: boolean
  /** Whether thinking with Anthropic's own signature is sent back with it. */
  readonly replaysSignedThinking: boolean
  /** Whether calls carry a signature that must come back with them (Gemini). */
  readonly replaysThoughtSignatures: boolean
  /** The tag around thinking inside the text that is lifted out of it. */
  readonly thinkingTag: string | undefined

  readonly maxTools: number
  readonly schema: SchemaRule
  readonly takesStrictTools: boolean
  /** Whether it takes tools whose input is plain text. */
  readonly takesCustomTools: boolean
  readonly takesParallelToolCalls: boolean
  /** The word that makes the model call some tool. */
  readonly requiredToolChoice: 'required' | 'any'

  readonly tokenLimitField: 'max_tokens' | 'max_completion_tokens'
  readonly maxOutputTokens: number | undefined
  readonly takesSampling: boolean
  readonly takesTopK: boolean
  /** How many stop sequences it takes; the rest is matched in its answer. */
  readonly maxStopSequences: number
  readonly takesStreamOptions: boolean
  readonly responseFormat: 'json_schema' | 'json_object' | 'none'
  /** Whether the schema of an answer may describe something else than an object. */
  readonly takesAnySchema: boolean
  readonly reasoning: ReasoningControl
  readonly takesPromptCacheKey: boolean
  /** Whether prompts are cached only where the request asks for it, as Anthropic's are at OpenRouter. */
  readonly takesCacheControl: boolean
  readonly takesSafetyIdentifier: boolean
  /** Whether it has OpenAI's tiers of service. */
  readonly takesServiceTier: boolean
  /** Whether it can be told how much to say. */
  readonly takesVerbosity: boolean

  readonly models: readonly ModelRule<ChatProfile>[]
}

/** What the decoders of this dialect work with. */
export type ChatContext = DecodeContext<ChatProfile>

/** Mistral's models, whoever serves them: their templates refuse another order of turns. */
export const MISTRAL: ModelRule<ChatProfile> = {
  pattern: /(?:^|\/)(?:mistral-|ministral|devstral|codestral|magistral|mixtral|pixtral|open-mi)/i,
  overrides: { consecutiveTurns: 'merge', userAfterResults: 'bridge', takesPrefill: false },
}

/** A careful profile for servers we know nothing about: only what practically all of them accept. */
export const defaultProfile: ChatProfile = {
  name: 'generic',
  keyHeader: 'authorization',
  consecutiveTurns: 'keep',
  firstTurn: 'any',
  systemRole: 'system',
  systemMidway: 'reminder',
  userAfterResults: 'keep',
  takesPrefill: true,
  contentBesideCalls: null,
  emptyResult: '(no output)',
  resultMedia: 'after',
  takesImages: true,
  takesDocuments: false,
  replaysThinking: undefined,
  refusesThinking: false,
  replaysSignedThinking: false,
  replaysThoughtSignatures: false,
  thinkingTag: undefined,
  toolNameLength: 64,
  callIds: { maxLength: 40, pattern: /^[!-~]+$/ },
  maxTools: 128,
  schema: { refusedKeywords: ['$schema'], flattensTop: true },
  takesStrictTools: false,
  takesCustomTools: false,
  takesParallelToolCalls: false,
  requiredToolChoice: 'required',
  tokenLimitField: 'max_tokens',
  maxOutputTokens: undefined,
  takesSampling: true,
  takesTopK: false,
  maxStopSequences: 4,
  takesStreamOptions: true,
  responseFormat: 'json_schema',
  takesAnySchema: false,
  reasoning: { kind: 'fixed' },
  takesPromptCacheKey: false,
  takesCacheControl: false,
  takesSafetyIdentifier: false,
  takesServiceTier: false,
  takesVerbosity: false,
  models: [MISTRAL],
}
