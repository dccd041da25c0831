import type { KeyAttempt } from '@hydra/gateway'
import type { Moment, TapeData, TapedCall, TapedExchange } from '@hydra/tape'
import type { AnswerReading } from './read-answer.ts'
import type { CallSummary } from './session-summary.ts'

/** Summarizes each call of an upstream, in the order in which they were made. */
export function summarizeCalls(
  { calls, moments }: TapedExchange,
  readings: readonly AnswerReading[],
  keys: readonly KeyAttempt[] = [],
): CallSummary[] {
  const labels = labelsOf(calls, keys)
  return calls.map((call, index) => {
    const { via, request, answer } = call
    const next = calls[index + 1]?.request.at
    const tried = retryBetween(moments, request.at, next)
    const until = lastByteOf(call) ?? tried?.at ?? next ?? moments.at(-1)?.at
    return {
      via,
      path: request.path,
      status: answer.status,
      ended: answer.ended,
      failure: answer.status === undefined ? undefined : readings[index]?.failure,
      key: labels[index],
      took: until === undefined ? undefined : until - request.at,
      retry: tried === undefined ? undefined : (tried.event[5] as TapeData['retry']),
    }
  })
}

/** When the last of an answer came, if anything did. */
function lastByteOf({ answer }: TapedCall): number | undefined {
  return answer.chunks.at(-1)?.at ?? answer.at
}

/** Which key each call had: one that was refused with a status makes room for the next, one that is tried again stays. */
function labelsOf(calls: readonly TapedCall[], keys: readonly KeyAttempt[]): (string | undefined)[] {
  const left = [...keys]
  return calls.map(({ via, answer }) => {
    const place = left.findIndex(({ upstream }) => upstream === via?.upstream)
    const attempt = left[place]
    if (attempt?.status !== undefined && attempt.status === answer.status) left.splice(place, 1)
    return attempt?.label
  })
}

/** What the tape says about trying again between two calls; a fallback to another upstream says nothing. */
function retryBetween(
  moments: readonly Moment[],
  from: number,
  until: number | undefined,
): Moment | undefined {
  if (until === undefined) return undefined
  return moments.findLast(({ at, event }) => event[4] === 'retry' && at >= from && at <= until)
}
