import type { Tape, TapedAnswer, TapedExchange, TapedRequest } from '../format/tape.ts'
import type { Matchable } from '../match/entry.ts'
import { isFinished } from './is-finished.ts'

/** Which of the two sides of the proxy is played: the upstreams, or the proxy as its clients see it. */
export type PlayedLeg = 'upstream' | 'proxy'

/** A recorded request with what was answered. */
export interface Recording extends Matchable {
  readonly answer: TapedAnswer
  readonly ending: Ending
}

/**
 * How a recorded answer ends when it is played: as its protocol ends; by a reset; or not at all, because the other
 * side was the one that gave up, or because nothing more came for too long.
 */
export type Ending = 'clean' | 'reset' | 'silence'

/** The recorded requests of one leg, in the order of the tape. */
export function recordingsOf(tape: Tape, leg: PlayedLeg): readonly Recording[] {
  return tape.exchanges.flatMap(leg === 'upstream' ? callsOf : clientRequestOf)
}

function clientRequestOf(exchange: TapedExchange): readonly Recording[] {
  const { number, request, answer } = exchange
  if (request === undefined) return []
  const wasLeft = whoGaveUp(exchange, 0, Infinity) === 'client'
  // A proxy whose upstream timed out did not fall silent itself: what it sent was cut off.
  const ended = answer.ended === 'timeout' ? 'open' : answer.ended
  const wasUsed = wasAnswered(exchange)
  const ending = endingOf({ ...answer, ended }, { wasLeft, wasUsed, request })
  return [{ exchange: number, call: 1, request, answer, ending }]
}

function callsOf(exchange: TapedExchange): readonly Recording[] {
  const { number, calls } = exchange
  return calls.map(({ request, via, answer }, index) => {
    const gaveUp = whoGaveUp(exchange, request.at, calls[index + 1]?.request.at ?? Infinity)
    const wasLeft = gaveUp === 'client' || gaveUp === 'proxy'
    const wasUsed = index === calls.length - 1 && wasAnswered(exchange)
    const asked = via === undefined ? request : { ...request, dialect: via.dialect }
    const ending = endingOf(answer, { wasLeft, wasUsed, request: asked })
    return { exchange: number, call: index + 1, request, answer, ending }
  })
}

interface Known {
  /** The other side gave up. */
  readonly wasLeft: boolean
  /** The client got a whole answer from it. */
  readonly wasUsed: boolean
  readonly request: TapedRequest
}

/** An answer that a recording does not know the end of was interrupted, and must not look whole. */
function endingOf(answer: TapedAnswer, { wasLeft, wasUsed, request }: Known): Ending {
  const { status, ended } = answer
  if (ended === 'clean' && status !== undefined) return 'clean'
  // OpenAI's SDK leaves as soon as it has read the last event, and does not wait for the end of the body.
  if (ended === 'aborted' && wasLeft) return isFinished(answer, request) ? 'clean' : 'silence'
  if (ended === 'timeout') return 'silence'
  // The end of a connection is not waited for when the end of the answer itself has come.
  return ended === 'open' && wasUsed && status !== undefined ? 'clean' : 'reset'
}

/** Only an answer with an end of its own makes an exchange an answered one. */
function wasAnswered({ end }: TapedExchange): boolean {
  return end?.outcome === 'answered'
}

function whoGaveUp(
  { moments }: TapedExchange,
  from: number,
  to: number,
): 'client' | 'upstream' | 'proxy' | undefined {
  for (const { at, event } of moments) {
    if (event[4] === 'abort' && at >= from && at <= to) return event[5].by
  }
  return undefined
}
