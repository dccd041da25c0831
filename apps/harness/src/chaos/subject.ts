import { type ClientDialect, type DialectName, type Memory, type StreamForm, toHubError } from '@hydra/core'
import {
  type BodyEnding,
  callerOf,
  decodeBody,
  playAnswer,
  type PlayedAnswer,
  prepareCall,
  type PreparedCall,
  refusedBy,
  type Tape,
  type TapedCall,
  type TapedExchange,
  type TapedRequest,
  TapeMemory,
  type Via,
} from '@hydra/tape'
import { type UpstreamEnd, upstreamEndOf } from './upstream-end.ts'

/** One recorded answer of an upstream that is to be broken. */
export interface Subject {
  readonly exchange: number
  /** Which call of the exchange it answered, from 1. */
  readonly call: number
  readonly taped: TapedCall
  /** How the upstream was called. */
  readonly via: Via
  /** The dialect that the client speaks. */
  readonly dialect: DialectName
  readonly client: ClientDialect
  /** What is done with it: translated, relayed as it is and read along, told as an error, or passed on unread. */
  readonly way: 'translated' | 'relayed' | 'refused' | 'passed'
  readonly isStream: boolean
  /** The client's request. */
  readonly request: TapedRequest
  /** What was remembered of earlier exchanges. */
  readonly memory: Memory
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
  const memory = new TapeMemory()
  for (const exchange of tape.exchanges) {
    const found = exchange.calls.map((call, index) =>
      subjectOf(exchange, call, { number: index + 1, memory }),
    )
    if (found.length === 0) leftOut.push({ exchange: exchange.number, reason: 'no upstream was called' })
    for (const subject of found) {
      if (typeof subject === 'string') leftOut.push({ exchange: exchange.number, reason: subject })
      else subjects.push(subject)
    }
  }
  return { subjects, leftOut }
}

function subjectOf(exchange: TapedExchange, taped: TapedCall, { number, memory }: Place): Subject | string {
  const { via, answer } = taped
  const { request } = exchange
  if (request === undefined) return 'its request is not on the tape'
  if (via === undefined) return 'the tape does not say how the upstream was called'
  if (answer.status === undefined) return 'the upstream did not answer'
  const bytes = Buffer.concat(answer.chunks.map((chunk) => chunk.bytes))
  if (bytes.length === 0) return 'the answer is empty'
  // What is whole is remembered for later requests, what is broken on purpose is not.
  const kept = playerOf(exchange, taped, { via, memory })
  const player = playerOf(exchange, taped, { via, memory: memory.readOnly })
  if (typeof player === 'string') return player
  if (typeof kept === 'string') return kept
  const { play, way, isStream } = player
  const { dialect, client } = callerOf(exchange)
  return {
    exchange: exchange.number,
    call: number,
    taped,
    via,
    dialect,
    client,
    way,
    isStream,
    request,
    memory: memory.readOnly,
    bytes,
    whole: kept.play([bytes], 'end'),
    upstreamEnd: upstreamEndOf(bytes, via.dialect),
    play,
  }
}

interface Place {
  /** Which call of the exchange it is, from 1. */
  readonly number: number
  readonly memory: TapeMemory
}

type Player = Pick<Subject, 'way' | 'isStream' | 'play'>

interface Playing {
  readonly via: Via
  readonly memory: Memory
}

function playerOf(exchange: TapedExchange, taped: TapedCall, { via, memory }: Playing): Player | string {
  if (via.passthrough === true) return { way: 'passed', isStream: true, play: passOn }
  const prepared = prepare(exchange, { via, memory })
  if (typeof prepared === 'string') return prepared
  const { stream } = prepared
  const isStream = stream !== undefined
  const { status = 0 } = taped.answer
  if (status < 200 || status > 299) {
    // However the body of an error ends, what came of it is all that is known.
    return { way: 'refused', isStream, play: (pieces) => refuse(withPieces(taped, pieces), prepared) }
  }
  return {
    way: via.relayed === true && comesAsAsked(taped, stream) ? 'relayed' : 'translated',
    isStream,
    play: (pieces, ending) => playAnswer(prepared.newTranslation(), pieces, ending),
  }
}

/** What comes in another form than the client can read is translated, even between equal dialects. */
function comesAsAsked({ answer }: TapedCall, stream: StreamForm | undefined): boolean {
  const first = Buffer.concat(answer.chunks.map((chunk) => chunk.bytes))
    .toString('latin1')
    .match(/[^\s\u00EF\u00BB\u00BF]/)?.[0]
  const isDocument = first === '{' || first === '['
  return stream === undefined ? isDocument : !isDocument && stream.contentType.startsWith('text/event-stream')
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
  { via, memory }: Playing,
): (PreparedCall & { readonly stream: StreamForm | undefined }) | string {
  try {
    const decoded = decodeBody(exchange, memory)
    const prepared = prepareCall(decoded, via)
    return typeof prepared === 'string' ? prepared : { ...prepared, stream: decoded.reply.stream }
  } catch (thrown) {
    return `its request is refused: ${toHubError(thrown).message}`
  }
}
