import type { HttpHandler } from 'msw'
import type { Tape, TapeProblem } from '../format/tape.ts'
import type { Miss } from '../match/explain-miss.ts'
import type { AnswersOptions } from '../play/answers.ts'
import { AnswersOfTapes } from '../play/answers-of-tapes.ts'
import { type ModelRequestOptions, modelRequests } from '../play/model-requests.ts'
import type { PlayedRequest } from '../play/played-request.ts'
import type { PlayerOptions } from '../play/player.ts'
import type { Recording } from '../play/recording.ts'
import { respond } from '../play/respond.ts'
import type { WebAnswer } from '../play/web-answer.ts'
import { loadMsw } from './load-msw.ts'

const { http, HttpResponse } = await loadMsw()

/** How a tape answers the requests that msw intercepts. */
export interface TapeHandlerOptions extends PlayerOptions, ModelRequestOptions, Pick<AnswersOptions, 'leg'> {}

/** Handlers for msw, and what was asked of them. */
export interface TapeHandlers extends ReadonlyArray<HttpHandler>, Disposable {
  /** What was asked so far, and what answered it. */
  readonly requests: readonly PlayedRequest[]
  /** The requests that no recording answered. */
  readonly misses: readonly Miss[]
  /** The recordings that were not asked for yet. */
  readonly unconsumed: readonly Pick<Recording, 'exchange' | 'call' | 'request'>[]
  /** What is wrong with the tape; what is readable is played. */
  readonly problems: readonly TapeProblem[]
  /** Throws unless every recording was asked for, and every request had one. */
  assertConsumed(): void
}

/**
 * Answers the requests of a test that msw intercepts with what is on a tape, or on one of several; none of them reaches a
 * network.
 */
export function tapeHandlers(
  tape: string | Tape | readonly (string | Tape)[],
  options: TapeHandlerOptions = {},
): TapeHandlers {
  const answers = new AnswersOfTapes([tape].flat(), options)
  const isOurs = modelRequests(options, answers.recordings)
  const handler = http.all('*', async ({ request }) => {
    if (!isOurs(request)) return undefined
    return answer(request, answers, options)
  })
  const assertConsumed = (): void => answers.assertConsumed()
  return Object.defineProperties([handler], {
    requests: { value: answers.requests },
    misses: { get: () => answers.misses },
    unconsumed: { get: () => answers.unconsumed },
    problems: { get: () => answers.problems },
    assertConsumed: { value: assertConsumed },
    [Symbol.dispose]: { value: () => answers.dispose() },
  }) as unknown as TapeHandlers
}

/** A connection that broke before there was an answer is what msw calls an error. */
async function answer(
  request: Request,
  answers: AnswersOfTapes,
  options: TapeHandlerOptions,
): Promise<Response> {
  try {
    return responseOf(await respond(request, answers, options))
  } catch {
    return HttpResponse.error()
  }
}

/**
 * Chunked, because msw 3 hands bodies to a socket of its own: without that framing an answer that breaks off looks
 * whole there, and a client that leaves takes the process with it.
 */
function responseOf({ status, headers, body }: WebAnswer): Response {
  if (body === null) return new HttpResponse(null, { status, headers })
  const { 'content-length': _length, ...others } = headers
  return new HttpResponse(body, { status, headers: { ...others, 'transfer-encoding': 'chunked' } })
}
