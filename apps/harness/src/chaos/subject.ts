import { toHubError } from '@hydra/core'
import type { Tape, TapedCall, TapedExchange } from '@hydra/tape'
import { type BodyEnding, playAnswer, type PlayedAnswer } from '../replay/play-answer.ts'
import { prepareCall, type PreparedCall } from '../replay/prepare-call.ts'
import { decodeBody } from '../replay/replay-exchange.ts'
import { type UpstreamEnd, upstreamEndOf } from './upstream-end.ts'

/** One recorded answer of an upstream that is to be broken. */
export interface Subject {
  readonly exchange: number
  /** Which call of the exchange it answered, from 1. */
  readonly call: number
  readonly taped: TapedCall
  readonly isStream: boolean
  /** The client's request. */
  readonly requestBody: string
  readonly bytes: Uint8Array
  /** What the client gets of the answer when nothing is wrong with it. */
  readonly whole: PlayedAnswer
  readonly upstreamEnd: UpstreamEnd
  readonly prepared: PreparedCall
  /** What the client gets of these pieces. */
  readonly play: (pieces: Iterable<Uint8Array>, ending: BodyEnding) => PlayedAnswer
}

/** An answer that is left alone, and why. */
export interface LeftOut {
  readonly exchange: number
  readonly reason: string
}

/** The answers of a tape that a translator takes part in, and those that are left alone. */
export function subjectsOf(tape: Pick<Tape, 'exchanges'>): { subjects: Subject[]; leftOut: LeftOut[] } {
  const subjects: Subject[] = []
  const leftOut: LeftOut[] = []
  for (const exchange of tape.exchanges) {
    const found = exchange.calls.map((call, index) => subjectOf(exchange, call, index + 1))
    if (found.length === 0) leftOut.push({ exchange: exchange.number, reason: 'no upstream was called' })
    for (const subject of found) {
      if (typeof subject === 'string') leftOut.push({ exchange: exchange.number, reason: subject })
      else subjects.push(subject)
    }
  }
  return { subjects, leftOut }
}

function subjectOf(exchange: TapedExchange, taped: TapedCall, call: number): Subject | string {
  const { via, answer } = taped
  if (via === undefined) return 'the tape does not say how the upstream was called'
  if (via.passthrough === true) return 'it went through unchanged'
  if (answer.status === undefined) return 'the upstream did not answer'
  if (answer.status < 200 || answer.status > 299) return `the upstream answered with status ${answer.status}`
  const bytes = Buffer.concat(answer.chunks.map((chunk) => chunk.bytes))
  if (bytes.length === 0) return 'the answer is empty'
  const prepared = prepare(exchange, via)
  if (typeof prepared === 'string') return prepared
  const play: Subject['play'] = (pieces, ending) => playAnswer(prepared.newTranslation(), pieces, ending)
  return {
    exchange: exchange.number,
    call,
    taped,
    isStream: prepared.isStream,
    requestBody: new TextDecoder().decode(exchange.request?.body),
    bytes,
    whole: play([bytes], 'end'),
    upstreamEnd: upstreamEndOf(bytes, via.dialect),
    prepared,
    play,
  }
}

function prepare(
  exchange: TapedExchange,
  via: NonNullable<TapedCall['via']>,
): (PreparedCall & { readonly isStream: boolean }) | string {
  try {
    const { request } = decodeBody(exchange)
    const prepared = prepareCall(request, via)
    return typeof prepared === 'string' ? prepared : { ...prepared, isStream: request.stream === true }
  } catch (thrown) {
    return `its request is refused: ${toHubError(thrown).message}`
  }
}
