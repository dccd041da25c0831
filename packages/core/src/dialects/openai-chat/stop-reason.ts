import { type HubStop, type HubStopReason, refusalStop, stopFor } from '../../hub/message.ts'
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
  ['model_context_window_exceeded', 'model_context_window_exceeded'],
  ['content_filter', 'refusal'],
  ['sensitive', 'refusal'],
  ['safety', 'refusal'],
])

/** Finish reasons of answers that their server could not finish: Zhipu's and DeepSeek's words beside the plain one. */
const BROKEN: ReadonlySet<string> = new Set(['error', 'network_error', 'insufficient_system_resource'])

/** Gateways pass other providers' words on, some of them in capitals. */
function specialOf(finish: string): HubStopReason | undefined {
  return SPECIAL.get(finish.toLowerCase())
}

/** Whether a finish reason says that the answer goes on no further though it is not complete. */
export function isCutOff(finish: string): boolean {
  return specialOf(finish) !== undefined
}

/** Whether a finish reason says that the answer broke off. */
export function isBroken(finish: string): boolean {
  return BROKEN.has(finish.toLowerCase())
}

/** Why the message ended. What was really sent counts for more than what the upstream calls it. */
export function decodeStopReason(ending: Ending, { notes, reply }: ChatContext): HubStop {
  const { finish, calls, matchedStop } = ending
  const special = specialOf(finish)
  if (special === 'refusal') return refusalStop()
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
  const known = reason !== null && Object.hasOwn(FINISH_REASONS, reason)
  const finish = known ? FINISH_REASONS[reason] : 'stop'
  return finish === 'stop' && calls > 0 ? 'tool_calls' : finish
}
