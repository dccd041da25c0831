import type { HistoryNeeds } from '../history/repair.ts'
import type { CallIdRule } from '../identity/call-ids.ts'

/** How hard a model may think, from not at all to the most, by the names that OpenAI and Anthropic share. */
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How an upstream is told to think: by a level, by a switch in the body, or not at all. */
export type ReasoningControl =
  | {
      readonly kind: 'effort'
      /** The levels it takes, weakest first. */
      readonly levels: readonly Effort[]
      /** The only level it takes together with function tools. */
      readonly withTools?: Effort
    }
  | {
      readonly kind: 'switch'
      readonly on: Readonly<Record<string, unknown>>
      readonly off: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'fixed' }

/** What an upstream refuses in the JSON schema of a tool. */
export interface SchemaRule {
  /** Keywords that are removed wherever they occur. */
  readonly refusedKeywords: readonly string[]
  /** Whether `oneOf`, `anyOf` and the like are refused at the top of a schema. */
  readonly flattensTop: boolean
}

/** What one upstream does differently, as data. No translator asks which provider it is. */
export interface Profile extends HistoryNeeds {
  readonly name: string

  /** The header that carries the key; `authorization` takes it as a bearer token. */
  readonly keyHeader: 'authorization' | 'api-key' | 'x-api-key'

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

  readonly toolNameLength: number
  readonly callIds: CallIdRule
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

  /** The events of which one ends an answer, where the dialect has no other sign of an end. */
  readonly closingEvents: readonly string[]

  /** What differs for some of its models; every rule that matches counts, later ones more. */
  readonly models: readonly ModelRule[]
}

/** What a profile overrides for the models whose name matches. */
export interface ModelRule {
  readonly pattern: RegExp
  readonly overrides: Partial<Omit<Profile, 'models' | 'name'>>
}

/** The profile as it holds for one model. */
export function profileFor(profile: Profile, model: string): Profile {
  const matching = profile.models.filter((rule) => rule.pattern.test(model))
  if (matching.length === 0) return profile
  return Object.assign({}, profile, ...matching.map((rule) => rule.overrides)) as Profile
}
