import type { ModelRule, Profile, ReasoningControl, SchemaRule } from '../../profiles/profile.ts'
import type { DecodeContext } from '../dialect.ts'

/** What one server does differently in Chat Completions. */
export interface ChatProfile extends Profile {
  /** The role of the system prompt. */
  readonly systemRole: 'system' | 'developer'
  /** Whether a system message may stand between the turns. */
  readonly systemMidway: 'keep' | 'reminder'
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
  /** Whether calls carry a signature that must come back with them (Gemini). */
  readonly replaysThoughtSignatures: boolean
  /** The tag around thinking inside the text that is lifted out of it. */
  readonly thinkingTag: string | undefined

  readonly maxTools: number
  readonly schema: SchemaRule
  readonly takesStrictTools: boolean
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
  readonly reasoning: ReasoningControl
  readonly takesPromptCacheKey: boolean
  readonly takesSafetyIdentifier: boolean

  readonly models: readonly ModelRule<ChatProfile>[]
}

/** What the decoders of this dialect work with. */
export type ChatContext = DecodeContext<ChatProfile>

/** A careful profile for servers we know nothing about: only what practically all of them accept. */
export const defaultProfile: ChatProfile = {
  name: 'generic',
  keyHeader: 'authorization',
  consecutiveTurns: 'keep',
  firstTurn: 'any',
  systemRole: 'system',
  systemMidway: 'reminder',
  contentBesideCalls: null,
  emptyResult: '(no output)',
  resultMedia: 'after',
  takesImages: true,
  takesDocuments: false,
  replaysThinking: undefined,
  replaysThoughtSignatures: false,
  thinkingTag: undefined,
  toolNameLength: 64,
  callIds: { maxLength: 40, pattern: /^[!-~]+$/ },
  maxTools: 128,
  schema: { refusedKeywords: ['$schema'], flattensTop: true },
  takesStrictTools: false,
  takesParallelToolCalls: false,
  requiredToolChoice: 'required',
  tokenLimitField: 'max_tokens',
  maxOutputTokens: undefined,
  takesSampling: true,
  takesTopK: false,
  maxStopSequences: 4,
  takesStreamOptions: true,
  responseFormat: 'json_schema',
  reasoning: { kind: 'fixed' },
  takesPromptCacheKey: false,
  takesSafetyIdentifier: false,
  models: [],
}
