import type { Notes } from '../../hub/note.ts'
import type { ClientReply, Memory } from '../dialect.ts'

/** What the encoders of an answer must know of a Chat request. */
export interface ChatReply extends ClientReply {
  readonly answerNotes: Notes
  /** When the request came, in seconds since 1970. */
  readonly created: number
  /** The client wants the usage at the end of a stream. */
  readonly includesUsage: boolean
  /** The names of tools whose input is free text. */
  readonly customTools: ReadonlySet<string>
  /** The client knows no `tool_calls`, but the one `function_call` of old. */
  readonly isLegacy: boolean
  /** The name under which the thinking of this conversation is remembered. */
  readonly conversation: string
  /** Where thinking that belongs to calls is remembered; absent where there can be no calls. */
  readonly memory: Memory | undefined
  /** The client gives `reasoning_details` back. */
  readonly takesDetails: boolean
}
