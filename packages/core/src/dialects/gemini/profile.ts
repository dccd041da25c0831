import type { ModelRule, Profile } from '../../profiles/profile.ts'
import type { GeminiLevel } from './wire.ts'

/** How thinking is requested from a family of models: not at all, by a number of tokens, or by a level. */
export type ThinkingControl =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'budget'
      readonly min: number
      readonly max: number
      /** Whether a budget of 0 turns thinking off. */
      readonly canBeOff: boolean
    }
  | {
      readonly kind: 'level'
      /** The levels it takes, weakest first; the weakest is as near to no thinking as it gets. */
      readonly levels: readonly GeminiLevel[]
    }

/** What one server does differently in Gemini's protocol. */
export interface GeminiProfile extends Profile {
  readonly thinking: ThinkingControl
  /** Whether calls and results may carry ids: Vertex refuses the field. */
  readonly takesCallIds: boolean
  /** Whether a call without a thought signature is refused. */
  readonly needsSignatures: boolean
  /** Whether a function response may hold images and documents. */
  readonly resultMedia: 'in-place' | 'after'
  /** Whether a request may end with the model's turn. */
  readonly takesPrefill: boolean
  /** Whether an answer may be bound to a schema while functions are offered. */
  readonly schemaWithTools: boolean
  /** Whether Google's own tools may be used beside functions, and need a switch for that. */
  readonly mixesTools: boolean
  readonly takesSampling: boolean
  readonly maxOutputTokens: number | undefined
  readonly maxTools: number
  readonly maxStopSequences: number

  readonly models: readonly GeminiRule[]
}

type GeminiRule = ModelRule<GeminiProfile>

const UP_TO_2: GeminiRule['overrides'] = {
  takesSampling: true,
  needsSignatures: false,
  resultMedia: 'after',
  takesPrefill: true,
  schemaWithTools: false,
}

const FOUR_LEVELS: ThinkingControl = { kind: 'level', levels: ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] }
const THREE_LEVELS: ThinkingControl = { kind: 'level', levels: ['LOW', 'MEDIUM', 'HIGH'] }

const models: readonly GeminiRule[] = [
  {
    pattern: /gemini-(?:1|2\.0|pro-vision)|gemma/,
    overrides: { ...UP_TO_2, thinking: { kind: 'none' }, maxOutputTokens: 8192 },
  },
  {
    pattern: /gemini-2\.5/,
    overrides: { ...UP_TO_2, thinking: { kind: 'budget', min: 1, max: 24_576, canBeOff: true } },
  },
  {
    pattern: /gemini-2\.5-flash-lite/,
    overrides: { thinking: { kind: 'budget', min: 512, max: 24_576, canBeOff: true } },
  },
  {
    pattern: /gemini-2\.5-pro/,
    overrides: { thinking: { kind: 'budget', min: 128, max: 32_768, canBeOff: false } },
  },
  { pattern: /gemini-3(?:-|\.[0-5])/, overrides: { takesSampling: true, takesPrefill: true } },
  { pattern: /gemini-3-pro/, overrides: { thinking: { kind: 'level', levels: ['LOW', 'HIGH'] } } },
  { pattern: /gemini-3(?:\.[0-5])?-flash/, overrides: { thinking: FOUR_LEVELS } },
]

/** Google's own Gemini API. A model that is not known here is taken for one of the newest. */
export const defaultProfile: GeminiProfile = {
  name: 'gemini',
  keyHeader: 'x-goog-api-key',
  consecutiveTurns: 'merge',
  firstTurn: 'user',
  toolNameLength: 64,
  toolNameStart: /^[a-zA-Z_]/,
  callIds: { maxLength: 200, pattern: /^[!-~]+$/ },
  thinking: THREE_LEVELS,
  takesCallIds: true,
  needsSignatures: true,
  resultMedia: 'in-place',
  takesPrefill: false,
  schemaWithTools: true,
  mixesTools: true,
  takesSampling: false,
  maxOutputTokens: 65_536,
  maxTools: 512,
  maxStopSequences: 5,
  models,
}

/** Gemini on Vertex: called with an access token, and strict about ids and about Google's own tools beside functions. */
export const vertexProfile: GeminiProfile = {
  ...defaultProfile,
  name: 'vertex',
  keyHeader: 'authorization',
  takesCallIds: false,
  mixesTools: false,
}
