import { generic } from '../../profiles/generic.ts'
import type { Profile } from '../../profiles/profile.ts'
import type { DecodeContext } from '../dialect.ts'

/** What one server does differently in the Responses API. */
export interface ResponsesProfile extends Profile {
  /** Whether reasoning comes encrypted for the next turn; models that do not reason refuse to be asked for it. */
  readonly encryptsReasoning: boolean
  /** Whether the model's reasoning can be had as a summary. */
  readonly summarizes: boolean
  /** Whether reasoning that came as plain text, without a proof, is taken back on the next turn. */
  readonly replaysPlainReasoning: boolean
  readonly takesVerbosity: boolean
  readonly takesMetadata: boolean
  /** Whether it can search the web by itself. */
  readonly searchesWeb: boolean
  readonly minOutputTokens: number
}

/** What the decoders of this dialect work with. */
export type ResponsesContext = DecodeContext

/** A careful profile for servers we know nothing about: what the Responses API itself documents. */
export const defaultProfile: ResponsesProfile = {
  ...generic,
  name: 'generic',
  systemMidway: 'keep',
  emptyResult: '',
  resultMedia: 'in-place',
  takesDocuments: true,
  callIds: { maxLength: 64, pattern: /^[!-~]+$/ },
  takesStrictTools: true,
  takesParallelToolCalls: true,
  maxStopSequences: 0,
  reasoning: { kind: 'effort', levels: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] },
  takesPromptCacheKey: true,
  takesSafetyIdentifier: true,
  encryptsReasoning: true,
  summarizes: true,
  replaysPlainReasoning: false,
  takesVerbosity: true,
  takesMetadata: true,
  searchesWeb: true,
  minOutputTokens: 16,
}
