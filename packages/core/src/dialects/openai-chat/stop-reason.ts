import { type HubStop, type HubStopReason, stopFor } from '../../hub/message.ts'
import type { ChatContext } from './profile.ts'
import type { FinishReason } from './wire.ts'

/** What is known at the end of an answer that its stop reason depends on. */
interface Ending {
  /** The upstream's `finish_reason`, '' if it never gave one. */
  readonly finish: string
  readonly calls: number
  /** The stop sequence that the upstream says it met. */
  readonly matchedStop: string | undefined
}

/** Finish reasons that end a turn in the ordinary way: whether calls were made says which. */
const ORDINARY: ReadonlySet<string> = new Set(['', 'stop', 'tool_calls', 'function_call'])

const SPECIAL: ReadonlyMap<string, HubStopReason> = new Map([
  ['length', 'max_tokens'],
  ['max_tokens', 'max_tokens'],
  ['model_length', 'max_tokens'],
  ['content_filter', 'refusal'],
])

/** Whether a finish reason says that the answer goes on no further though it is not complete. */
export function isCutOff(finish: string): boolean {
  return SPECIAL.has(finish)
}

/** Why the message ended. What was really sent counts for more than what the upstream calls it. */
export function decodeStopReason(ending: Ending, { notes, reply }: ChatContext): HubStop {
  const { finish, calls, matchedStop } = ending
  const special = SPECIAL.get(finish)
  if (special === 'refusal') return refusal()
  if (special !== undefined) return stopFor(special)
  if (!ORDINARY.has(finish)) {
    notes.add(
      'finish_reason_unknown',
      'choices[0].finish_reason',
      `'${finish}' was taken for an ordinary end`,
    )
  }
  if (calls > 0) return stopFor('tool_use')
  if (matchedStop !== undefined && reply.stopSequences.includes(matchedStop)) {
    return { ...stopFor('stop_sequence'), stop_sequence: matchedStop }
  }
  return stopFor('end_turn')
}

function refusal(): HubStop {
  const explanation = "The upstream's content filter ended this answer."
  return { ...stopFor('refusal'), stop_details: { type: 'refusal', category: null, explanation } }
}

const FINISH_REASONS: Readonly<Record<HubStopReason, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
}

/** Why an answer ended, in Chat's words; calls that were made end it as calls, whatever the model calls it. */
export function encodeFinishReason(reason: HubStopReason | null, calls: number): FinishReason {
  // A reason that is newer than this table ends an answer like any other.
  const finish = FINISH_REASONS[reason ?? 'end_turn'] ?? 'stop'
  return finish === 'stop' && calls > 0 ? 'tool_calls' : finish
}
