import { toHubError } from '@hydra/core'
import type { Tape, TapedCall, TapedExchange, Via } from '@hydra/tape'
import { type BodyEnding, playAnswer, type PlayedAnswer } from '../replay/play-answer.ts'
import { prepareCall, type PreparedCall } from '../replay/prepare-call.ts'
import { decodeBody, refusedBy } from '../replay/replay-exchange.ts'
import { type UpstreamEnd, upstreamEndOf } from './upstream-end.ts'

/** One recorded answer of an upstream that is to be broken. */
export interface Subject {
  readonly exchange: number
  /** Which call of the exchange it answered, from 1. */
  readonly call: number
  readonly taped: TapedCall
  /** What is done with it: translated, told as an error with a status, or passed on byte for byte. */
  readonly way: 'translated' | 'refused' | 'passed'
  readonly isStream: boolean
  /** The client's request. */
  readonly requestBody: string
  readonly bytes: Uint8Array
  /** What the client gets of the answer when nothing is wrong with it. */
  readonly whole: PlayedAnswer
  readonly upstreamEnd: UpstreamEnd
  /** What the client gets of these pieces. */
  readonly play: (pieces: Iterable<Uint8Array>, ending: BodyEnding) => PlayedAnswer
}

/** An answer that is left alone, and why. */
export interface LeftOut {
  readonly exchange: number
  readonly reason: string
}

/** The answers of a tape that can be broken, and those that are left alone. */
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
  if (answer.status === undefined) return 'the upstream did not answer'
  const bytes = Buffer.concat(answer.chunks.map((chunk) => chunk.bytes))
  if (bytes.length === 0) return 'the answer is empty'
  const player = playerOf(exchange, taped, via)
  if (typeof player === 'string') return player
  const { play, way, isStream } = player
  return {
    exchange: exchange.number,
    call,
    taped,
    way,
    isStream,
    requestBody: new TextDecoder().decode(exchange.request?.body),
    bytes,
    whole: play([bytes], 'end'),
    upstreamEnd: upstreamEndOf(bytes, via.dialect),
    play,
  }
}

type Player = Pick<Subject, 'way' | 'isStream' | 'play'>

function playerOf(exchange: TapedExchange, taped: TapedCall, via: Via): Player | string {
  if (via.passthrough === true) return { way: 'passed', isStream: true, play: passOn }
  const prepared = prepare(exchange, via)
  if (typeof prepared === 'string') return prepared
  const { isStream } = prepared
  const { status = 0 } = taped.answer
  if (status < 200 || status > 299) {
    // However the body of an error ends, what came of it is all that is known.
    return { way: 'refused', isStream, play: (pieces) => refuse(withPieces(taped, pieces), prepared) }
  }
  return {
    way: 'translated',
    isStream,
    play: (pieces, ending) => playAnswer(prepared.newTranslation(), pieces, ending),
  }
}

function passOn(pieces: Iterable<Uint8Array>): PlayedAnswer {
  const text = new TextDecoder().decode(Buffer.concat([...pieces]))
  return { text, failure: undefined, isRefused: false, ended: 'clean' }
}

function withPieces(taped: TapedCall, pieces: Iterable<Uint8Array>): TapedCall {
  return { ...taped, answer: { ...taped.answer, chunks: Array.from(pieces, (bytes) => ({ at: 0, bytes })) } }
}

function refuse(taped: TapedCall, prepared: PreparedCall): PlayedAnswer {
  const failure = refusedBy(taped, prepared)
  return { text: '', failure, isRefused: true, ended: failure === undefined ? 'open' : 'failed' }
}

function prepare(
  exchange: TapedExchange,
  via: Via,
): (PreparedCall & { readonly isStream: boolean }) | string {
  try {
    const decoded = decodeBody(exchange)
    const prepared = prepareCall(decoded, via)
    return typeof prepared === 'string'
      ? prepared
      : { ...prepared, isStream: decoded.reply.stream !== undefined }
  } catch (thrown) {
    return `its request is refused: ${toHubError(thrown).message}`
  }
}
