import type { HistoryNeeds } from '../history/repair.ts'
import type { CallIdRule } from '../identity/call-ids.ts'

/** How hard a model may think, from not at all to the most, by the names that OpenAI and Anthropic share. */
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How thinking is requested from an upstream: by a level, by a switch in the body, or not at all. */
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

/**
 * What one upstream does differently in one dialect, as data. No translator asks which provider it is.
 * This is what all dialects ask; each adds its own fields in its `profile.ts`.
 */
export interface Profile extends HistoryNeeds {
  /** What log lines and messages call it. */
  readonly name: string

  /** The header that carries the key; `authorization` takes it as a bearer token. */
  readonly keyHeader: KeyHeader

  /** The longest name of a tool. */
  readonly toolNameLength: number
  /** What the name of a tool has to begin with, where not everything will do. */
  readonly toolNameStart?: RegExp
  /** What ids of calls have to look like. */
  readonly callIds: CallIdRule

  /** What differs for some of its models; every rule that matches counts, later ones more. */
  readonly models: readonly ModelRule[]
}

/** The headers in which providers take their keys. */
export type KeyHeader = 'authorization' | 'api-key' | 'x-api-key' | 'x-goog-api-key'

/** What a profile overrides for the models whose name matches. */
export interface ModelRule<P extends Profile = Profile> {
  /** What the names of these models match. */
  readonly pattern: RegExp
  /** The fields that are otherwise for them. */
  readonly overrides: Partial<Omit<P, 'models' | 'name'>>
}

/**
 * A profile with all fields that a dialect asks for: what it does not say is as the dialect's default says.
 * A profile of another dialect becomes one of this dialect with what the two share.
 */
export function completeProfile<P extends Profile>(profile: Profile, defaults: P): P {
  const isComplete = Object.keys(defaults).every((field) => Object.hasOwn(profile, field))
  return isComplete ? (profile as P) : { ...defaults, ...profile }
}

/** The profile as it holds for one model. */
export function profileFor<P extends Profile>(profile: P, model: string): P {
  const matching = profile.models.filter((rule) => rule.pattern.test(model))
  if (matching.length === 0) return profile
  return Object.assign({}, profile, ...matching.map((rule) => rule.overrides)) as P
}
