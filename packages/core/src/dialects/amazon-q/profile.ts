import { NAME } from './wire.ts'
import type { ModelRule, Profile } from '../../profiles/profile.ts'
import type { DecodeContext } from '../dialect.ts'

/** What one service does differently in the protocol of Amazon Q. */
export interface QProfile extends Profile {
  /** What a result without content says. */
  readonly emptyResult: string
  readonly takesImages: boolean
  /** The events of which one ends an answer: the protocol has no other sign of an end. */
  readonly closingEvents: readonly string[]

  readonly models: readonly ModelRule<QProfile>[]
}

/** What the decoders of this dialect work with. */
export type QContext = DecodeContext<QProfile>

/** Amazon Q Developer itself. */
export const defaultProfile: QProfile = {
  name: NAME,
  keyHeader: 'authorization',
  consecutiveTurns: 'keep',
  firstTurn: 'any',
  emptyResult: '(no output)',
  takesImages: true,
  toolNameLength: 64,
  callIds: { maxLength: 64, pattern: /^[a-zA-Z0-9_-]+$/ },
  closingEvents: ['metadataEvent'],
  models: [],
}
