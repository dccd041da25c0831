import { HubError } from '../../hub/error.ts'
import { type HubStop, type HubStopReason, stopFor } from '../../hub/message.ts'
import { cleanWords } from '../../errors/upstream-words.ts'
import type { DecodeContext } from '../dialect.ts'
import type { GeminiFinish } from './wire.ts'

/** Google's enums by number: generated clients ask for them that way. */
const BY_NUMBER: readonly string[] = [
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'IMAGE_SAFETY',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_OTHER',
  'NO_IMAGE',
  'IMAGE_RECITATION',
]

const REFUSALS: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
])

/** Ends after which an answer is of no use: the model did not manage to write its calls. */
const FAILURES: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
])

/** What is known at the end of an answer that its stop reason depends on. */
export interface Ending {
  /** Google's reason, '' if it gave none. */
  readonly finish: string
  /** What it said about the reason. */
  readonly message: string
  /** Why the prompt was refused, '' if it was not. */
  readonly blocked: string
  readonly calls: number
  readonly hasContent: boolean
}

/** A finish reason by its name, however it was spelled. */
export function finishName(value: unknown): string {
  if (typeof value === 'number') return BY_NUMBER[value] ?? `reason ${value}`
  return typeof value === 'string' ? value.toUpperCase() : ''
}

/** Whether an answer may end so in the middle of a call: for all other reasons it was cut on its way. */
export function endsAnywhere(finish: string): boolean {
  return finish === 'MAX_TOKENS' || REFUSALS.has(finish) || FAILURES.has(finish)
}

/** Why the message ended; a reason that makes the answer useless is thrown. */
export function decodeStopReason(ending: Ending, { notes }: Pick<DecodeContext, 'notes'>): HubStop {
  const { finish, calls } = ending
  if (finish === '') return refusal(`the prompt was blocked: ${ending.blocked}`)
  if (REFUSALS.has(finish)) return refusal(withMessage(finish, ending))
  if (FAILURES.has(finish)) throw failed(withMessage(finish, ending))
  if (calls > 0) {
    if (finish !== 'STOP') noteOrdinary(ending, notes)
    return stopFor('tool_use')
  }
  if (finish === 'MAX_TOKENS') return stopFor('max_tokens')
  if (finish === 'CONTINUATION') {
    notes.add(
      'continuation_cut',
      'candidates[0].continuationToken',
      'the rest of the answer was not asked for',
    )
    return stopFor('max_tokens')
  }
  if (finish === 'STOP') return stopFor('end_turn')
  if (!ending.hasContent) throw failed(withMessage(finish, ending))
  noteOrdinary(ending, notes)
  return stopFor('end_turn')
}

function noteOrdinary(ending: Ending, notes: DecodeContext['notes']): void {
  const words = `'${cleanWords(withMessage(ending.finish, ending))}' was taken for an ordinary end`
  notes.add('finish_reason_unknown', 'candidates[0].finishReason', words)
}

function withMessage(reason: string, { message }: Ending): string {
  return message === '' ? reason : `${reason}: ${message}`
}

function refusal(reason: string): HubStop {
  const explanation = `The upstream ended this answer: ${cleanWords(reason)}`
  return { ...stopFor('refusal'), stop_details: { type: 'refusal', category: null, explanation } }
}

function failed(reason: string): HubError {
  return new HubError('api_error', `gemini: the upstream ended its answer with ${cleanWords(reason)}`, {
    status: 502,
    endsAnswer: true,
  })
}

const FINISH_OF_STOP: Readonly<Record<HubStopReason, GeminiFinish>> = {
  end_turn: 'STOP',
  stop_sequence: 'STOP',
  tool_use: 'STOP',
  pause_turn: 'STOP',
  max_tokens: 'MAX_TOKENS',
  model_context_window_exceeded: 'MAX_TOKENS',
  refusal: 'SAFETY',
}

/** Why an answer ends, in the words of Gemini: there is no reason of its own for calls. */
export function encodeStopReason({ stop_reason: reason }: HubStop): GeminiFinish {
  const known = reason !== null && Object.hasOwn(FINISH_OF_STOP, reason)
  return known ? FINISH_OF_STOP[reason] : 'STOP'
}

/** What a refusal has beside its reason. */
export function refusalFields({ stop_reason: reason, stop_details: details }: HubStop): {
  finishMessage?: string
} {
  const words = details?.explanation
  return reason === 'refusal' && words ? { finishMessage: words } : {}
}
