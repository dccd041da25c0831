import { type HubStop, refusalStop, stopFor } from '../../hub/message.ts'
import type { Notes } from '../../hub/note.ts'
import type { WireResponse } from './wire.ts'

/** What is known at the end of an answer that its stop reason depends on. */
interface Ending {
  /** The upstream's `status`. */
  readonly status: string
  /** The reason in `incomplete_details`, '' if there is none. */
  readonly reason: string
  /** How many calls the client has to run. */
  readonly calls: number
}

/** Why the message ended. */
export function decodeStopReason({ status, reason, calls }: Ending, notes: Notes): HubStop {
  if (status === 'incomplete') return incompleteStop(reason, notes)
  if (status !== 'completed') {
    notes.add('status_unknown', 'response.status', `'${status}' was taken for an ordinary end`)
  }
  return stopFor(calls > 0 ? 'tool_use' : 'end_turn')
}

function incompleteStop(reason: string, notes: Notes): HubStop {
  if (reason === 'content_filter') return refusalStop()
  if (reason !== 'max_output_tokens') {
    // The answer is not whole, and this is the reason that makes clients go on with it.
    const message = `'${reason}' was taken for the limit of tokens: the answer is not complete`
    notes.add('incomplete_reason_unknown', 'response.incomplete_details.reason', message)
  }
  return stopFor('max_tokens')
}

/** How a response ends. */
export interface ResponseEnd {
  readonly event: 'response.completed' | 'response.incomplete' | 'response.failed'
  readonly status: 'completed' | 'incomplete' | 'failed'
  readonly error: WireResponse['error']
  /** Why it is not complete. */
  readonly reason: 'max_output_tokens' | 'content_filter' | undefined
}

const COMPLETED: ResponseEnd = {
  event: 'response.completed',
  status: 'completed',
  error: null,
  reason: undefined,
}

/** How a response ends for the client. */
export function encodeStop({ stop_reason: reason }: HubStop): ResponseEnd {
  switch (reason) {
    case 'max_tokens':
      return incomplete('max_output_tokens')
    case 'refusal':
      return incomplete('content_filter')
    case 'model_context_window_exceeded':
      return CONTEXT_EXCEEDED
    default:
      return COMPLETED
  }
}

function incomplete(reason: NonNullable<ResponseEnd['reason']>): ResponseEnd {
  return { ...COMPLETED, event: 'response.incomplete', status: 'incomplete', reason }
}

/** By this code Codex knows that it has to make its conversation shorter. */
const CONTEXT_EXCEEDED: ResponseEnd = {
  event: 'response.failed',
  status: 'failed',
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK lists some of the codes
  error: {
    code: 'context_length_exceeded',
    message: 'The conversation and this answer do not fit into the context of the model.',
  } as unknown as ResponseEnd['error'],
  reason: undefined,
}
