import type { TapedAnswer, TapedExchange, TapedRequest } from '@hydra/tape'

/** An exchange as it is repeated by a client. */
export interface ExpectedExchange {
  readonly number: number
  readonly request: TapedRequest
  readonly answer: TapedAnswer
  /** The calls of the upstream that it took. */
  readonly calls: TapedExchange['calls']
  /** When its client had all that it got, in microseconds since the start of the tape. */
  readonly over: number
  /** How much the client read before it left; undefined if it stayed. */
  readonly leave: Leave | undefined
  /** The recording does not know how the answer went on. */
  readonly isPartial: boolean
}

/** When a client leaves. */
export interface Leave {
  /** After how many bytes of the body; undefined if it left before there was an answer. */
  readonly bytes: number | undefined
  /** How long it waited, in milliseconds. */
  readonly after: number
}

/** What of a recorded exchange a client repeats; undefined if its request is not on the tape. */
export function expectedExchange(exchange: TapedExchange): ExpectedExchange | undefined {
  const { number, request, calls, answer, end } = exchange
  if (request === undefined) return undefined
  const leave = leaveOf(exchange, request)
  const isInterrupted = end === undefined && answer.ended !== 'clean'
  const over = isInterrupted ? Infinity : endOf(request, answer, leave)
  return { number, request, answer, calls, over, leave, isPartial: leave !== undefined || isInterrupted }
}

/** A client goes on when it has read the last piece, whatever is still done for the exchange behind its back. */
function endOf({ at }: TapedRequest, answer: TapedAnswer, leave: Leave | undefined): number {
  if (leave !== undefined) return at + leave.after * 1000
  return answer.chunks.at(-1)?.at ?? answer.at ?? at
}

function leaveOf({ answer, moments }: TapedExchange, request: TapedRequest): Leave | undefined {
  const abort = moments.find(({ event }) => event[4] === 'abort' && event[5].by === 'client')
  // A client that leaves after the end has read everything.
  if (abort === undefined || answer.ended === 'clean') return undefined
  const bytes = answer.chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0)
  return { bytes: answer.status === undefined ? undefined : bytes, after: (abort.at - request.at) / 1000 }
}
