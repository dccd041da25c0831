import type { HubStop } from '../../hub/message.ts'
import type { Notes } from '../../hub/note.ts'
import { objectAt, textAt, type WireObject } from '../../json/wire.ts'

/** Why a message ended, from the fields that say so. */
export function stopOf(fields: Readonly<Record<keyof HubStop, unknown>> | WireObject): HubStop {
  const { stop_reason: reason, stop_sequence: sequence, stop_details: details } = fields
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a reason of tomorrow is a reason
    stop_reason: (textAt(reason, 'stop_reason') || null) as HubStop['stop_reason'],
    stop_sequence: textAt(sequence, 'stop_sequence') || null,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as far as anybody here looks into it
    stop_details: (objectAt(details, 'stop_details') ?? null) as unknown as HubStop['stop_details'],
  }
}

/** The reasons that are known here; `compaction` is one of a beta. */
const KNOWN: ReadonlySet<string> = new Set([
  'end_turn',
  'stop_sequence',
  'tool_use',
  'max_tokens',
  'model_context_window_exceeded',
  'refusal',
  'pause_turn',
  'compaction',
])

/** Notes that a reason is new: clients of other dialects get an ordinary end. */
export function noteUnknownReason({ stop_reason: reason }: HubStop, notes: Notes): void {
  if (reason === null || KNOWN.has(reason)) return
  notes.add('stop_reason_unknown', 'stop_reason', 'only clients of the same dialect are told this reason')
}

/** A client that gets the stop reason for calls expects calls. */
export function settledStop(stop: HubStop, hasCalls: boolean, notes: Notes): HubStop {
  if (stop.stop_reason !== 'tool_use' || hasCalls) return stop
  notes.add('stop_reason_changed', 'stop_reason', 'tool_use without a call was taken for an ordinary end')
  return { ...stop, stop_reason: 'end_turn' }
}
