import { type HubStop, type HubStopReason, refusalStop, stopFor } from '../../hub/message.ts'
import type { QContext } from './profile.ts'

/** Reasons that say that the answer goes no further though it is not complete. */
const CUT_OFF: ReadonlyMap<string, HubStopReason> = new Map([
  ['MAX_TOKENS', 'max_tokens'],
  ['MODEL_CONTEXT_WINDOW_EXCEEDED', 'model_context_window_exceeded'],
  ['CONTENT_FILTERED', 'refusal'],
])

/** Reasons that end a turn in the ordinary way: whether calls were made says which. */
const ORDINARY: ReadonlySet<string> = new Set(['END_TURN', 'TOOL_USE'])

/** Whether a reason says that the answer goes on no further though it is not complete. */
export function isCutOff(reason: string): boolean {
  return CUT_OFF.has(reason)
}

/** Why the message ended. What was really sent counts for more than what the upstream calls it. */
export function decodeStopReason(reason: string, calls: number, { notes }: QContext): HubStop {
  const cutOff = CUT_OFF.get(reason)
  if (cutOff === 'refusal') return refusalStop()
  if (cutOff !== undefined) return stopFor(cutOff)
  if (reason === 'PAUSE_TURN' && calls === 0) return stopFor('pause_turn')
  if (reason === '') {
    notes.add('stop_reason_missing', 'metadataEvent.stopReason', 'the upstream did not say why it stopped')
  } else if (!ORDINARY.has(reason) && reason !== 'PAUSE_TURN') {
    notes.add('stop_reason_unknown', 'metadataEvent.stopReason', `'${reason}' was taken for an ordinary end`)
  }
  return stopFor(calls > 0 ? 'tool_use' : 'end_turn')
}
