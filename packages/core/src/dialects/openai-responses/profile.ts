import type { ModelRule, Profile, ReasoningControl, SchemaRule } from '../../profiles/profile.ts'
import type { DecodeContext } from '../dialect.ts'

/** What one server does differently in the Responses API. */
export interface ResponsesProfile extends Profile {
  /** The role of system messages between the turns. */
  readonly systemRole: 'system' | 'developer'
  /** What a result without content says. */
  readonly emptyResult: string
  readonly takesImages: boolean
  readonly takesDocuments: boolean

  readonly reasoning: ReasoningControl
  /** Whether reasoning comes encrypted for the next turn; models that do not reason refuse to be asked for it. */
  readonly encryptsReasoning: boolean
  /** Whether the model's reasoning can be had as a summary. */
  readonly summarizes: boolean
  /** Whether reasoning that came as plain text, without a proof, is taken back on the next turn. */
  readonly replaysPlainReasoning: boolean

  readonly maxTools: number
  readonly schema: SchemaRule
  readonly takesStrictTools: boolean
  /** Whether it can search the web by itself. */
  readonly searchesWeb: boolean

  readonly minOutputTokens: number
  readonly maxOutputTokens: number | undefined
  readonly takesSampling: boolean
  readonly takesStreamOptions: boolean
  readonly responseFormat: 'json_schema' | 'json_object'
  readonly takesVerbosity: boolean
  readonly takesMetadata: boolean
  readonly takesPromptCacheKey: boolean
  readonly takesSafetyIdentifier: boolean
  /** Whether it has OpenAI's tiers of service. */
  readonly takesServiceTier: boolean

  readonly models: readonly ModelRule<ResponsesProfile>[]
}

/** What the decoders of this dialect work with. */
export type ResponsesContext = DecodeContext<ResponsesProfile>

/** A profile for servers we know nothing about: what the Responses API itself documents. */
export const defaultProfile: ResponsesProfile = {
  name: 'generic',
  keyHeader: 'authorization',
  consecutiveTurns: 'keep',
  firstTurn: 'any',
  systemRole: 'developer',
  emptyResult: '',
  takesImages: true,
  takesDocuments: true,
  reasoning: { kind: 'effort', levels: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] },
  encryptsReasoning: true,
  summarizes: true,
  replaysPlainReasoning: false,
  toolNameLength: 64,
  callIds: { maxLength: 64, pattern: /^[!-~]+$/ },
  maxTools: 128,
  schema: { refusedKeywords: ['$schema'], flattensTop: true },
  takesStrictTools: true,
  searchesWeb: true,
  minOutputTokens: 16,
  maxOutputTokens: undefined,
  takesSampling: true,
  takesStreamOptions: false,
  responseFormat: 'json_schema',
  takesVerbosity: true,
  takesMetadata: true,
  takesPromptCacheKey: true,
  takesSafetyIdentifier: true,
  takesServiceTier: false,
  models: [
    {
      // These do not reason, wherever they are served.
      pattern: /(?:^|\/)(?:gpt-[34]|chatgpt-4)/,
      overrides: { reasoning: { kind: 'fixed' }, encryptsReasoning: false, takesVerbosity: false },
    },
  ],
}
