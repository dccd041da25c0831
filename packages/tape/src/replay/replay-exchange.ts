import {
  type ClientReply,
  failedStream,
  failsInStream,
  type HubError,
  isReadableError,
  type Memory,
  type Note,
  parseJson,
  plainCall,
  refusedAnswer,
  toHubError,
} from '@hydra/core'
import type { TapedAnswer, TapedCall, TapedExchange } from '../format/tape.ts'
import { bodyEndingOf } from './body-ending.ts'
import { playAnswer } from './play-answer.ts'
import { callerOf, pathOf, queryOf, uniquePart, unknownCaller } from './caller.ts'
import { prepareCall, type PreparedCall, type ReplayedRequest } from './prepare-call.ts'
import { TapeMemory } from './tape-memory.ts'

/** What the current translator makes of a recorded exchange. */
export interface Replay {
  /** The bodies of the calls, one for each recorded call. */
  readonly upstreamRequests: readonly unknown[]
  readonly answer: ReplayedAnswer
  readonly notes: readonly Note[]
}

/** What the client gets. */
export interface ReplayedAnswer {
  /** Undefined if nothing is sent. */
  readonly status: number | undefined
  readonly bytes: Uint8Array
  /** Whether the body is one of events. */
  readonly isStream: boolean
  readonly contentType: string
  /** Whether it has the end that belongs to it, an error in its place, or is only a beginning. */
  readonly ended: 'clean' | 'failed' | 'open'
}

/** An exchange that cannot be replayed, and why. */
export interface NotReplayed {
  readonly reason: string
}

/** Sends a recorded exchange through the current translator; what it refers back to is in the memory, if it is there. */
export function replayExchange(
  exchange: TapedExchange,
  memory: Memory = new TapeMemory(),
): Replay | NotReplayed {
  const reason = obstacleOf(exchange)
  if (reason !== undefined) return { reason }
  const passed = passedExchange(exchange)
  if (passed !== undefined) return passed
  try {
    return replayCalls(exchange, decodeBody(exchange, memory))
  } catch (thrown) {
    return { upstreamRequests: [], notes: [], answer: refusalOf(exchange, toHubError(thrown)) }
  }
}

/** What was only passed on is not decoded: it may refer back to answers that nobody here has kept. */
function passedExchange(exchange: TapedExchange): Replay | undefined {
  const { calls } = exchange
  const last = calls.at(-1)
  if (last === undefined || calls.some(({ via }) => via?.passthrough !== true)) return undefined
  const sent = valueOf(exchange)
  return { upstreamRequests: calls.map(() => sent), answer: passedThrough(last.answer), notes: [] }
}

/** The body of an exchange's request as the hub understands it; what the client would be refused with is thrown. */
export function decodeBody(exchange: TapedExchange, memory: Memory): DecodedBody {
  const { client, params } = callerOf(exchange)
  const { path = '', headers = {} } = exchange.request ?? {}
  const newId = (): string => uniquePart(messageIdOf(exchange) ?? 'replayed', client)
  // Dialects may tell a stream by how the path ends, and the query is not a part of it.
  const place = { path: pathOf(path), params, query: queryOf(path) }
  const call = plainCall(valueOf(exchange), { ...place, headers, newId, memory })
  return { client, call, ...client.decodeRequest(call) }
}

/** A request as the hub understands it, and whose it is. */
export interface DecodedBody extends ReplayedRequest {
  readonly notes: readonly Note[]
}

/** The id of the message that was sent to the client. */
export function messageIdOf({ calls }: TapedExchange): string | undefined {
  return calls.at(-1)?.via?.messageId
}

function valueOf({ request }: TapedExchange): unknown {
  return parseJson(new TextDecoder().decode(request?.body))
}

/** Why an exchange cannot be replayed at all. */
function obstacleOf(exchange: TapedExchange): string | undefined {
  const { request, calls, notes, end } = exchange
  if (request === undefined) return 'its request is not on the tape'
  const unknown = unknownCaller(exchange)
  if (unknown !== undefined) return unknown
  if (callerOf(exchange).endpoint?.purpose !== 'generate') {
    return `${request.method} ${pathOf(request.path)} is not translated`
  }
  if (calls.some(({ via }) => via === undefined)) return 'the tape does not say how the upstream was called'
  if (notes.some(({ code }) => code === 'loop_reminder_added')) {
    return 'the loop guard reminded the model, and the tape does not say how it was set'
  }
  if (calls.length === 0 && end?.outcome !== 'failed') return 'no upstream was called'
  return undefined
}

function replayCalls(exchange: TapedExchange, decoded: DecodedBody): Replay | NotReplayed {
  const { notes, reply } = decoded
  const upstreamRequests: unknown[] = []
  let last: { readonly call: TapedCall; readonly prepared: PreparedCall | undefined } | undefined
  for (const call of exchange.calls) {
    if (call.via?.passthrough === true) {
      upstreamRequests.push(valueOf(exchange))
      last = { call, prepared: undefined }
      continue
    }
    const prepared = call.via === undefined ? 'it has no via' : prepareCall(decoded, call.via)
    if (typeof prepared === 'string') return { reason: prepared }
    upstreamRequests.push(prepared.body)
    last = { call, prepared }
  }
  if (last === undefined) return { reason: 'it was refused without a call, for a reason outside of the tape' }
  const { call, prepared } = last
  if (prepared === undefined) return { upstreamRequests, notes, answer: passedThrough(call.answer) }
  const { answer, notes: answerNotes } = translated(exchange, call, { prepared, reply })
  return {
    upstreamRequests,
    answer,
    notes: [...notes, ...prepared.notes, ...answerNotes],
  }
}

interface Translated {
  readonly answer: ReplayedAnswer
  readonly notes: readonly Note[]
}

interface Way {
  readonly prepared: PreparedCall
  readonly reply: ClientReply
}

function translated(exchange: TapedExchange, call: TapedCall, { prepared, reply }: Way): Translated {
  const refusal = refusedBy(call, prepared)
  if (refusal !== undefined) return { answer: refusalOf(exchange, refusal, reply), notes: [] }
  const translation = prepared.newTranslation()
  const pieces = call.answer.chunks.map(({ bytes }) => bytes)
  const played = playAnswer(translation, pieces, bodyEndingOf(exchange, call))
  const { text, ended, failure, isRefused } = played
  if (failure !== undefined && isRefused) {
    return { answer: refusalOf(exchange, failure, reply), notes: translation.notes }
  }
  const status = text === '' ? undefined : 200
  const { contentType, notes } = translation
  const form = { contentType, isStream: isEventStream(contentType) }
  return { answer: { status, bytes: Buffer.from(text), ...form, ended }, notes }
}

/** What a call is refused with by its status alone. */
export function refusedBy({ answer, via }: TapedCall, { dialect }: PreparedCall): HubError | undefined {
  const { status, headers } = answer
  if (status === undefined) return undefined
  const body = isReadableError({ status, headers }) ? textOf(answer) : ''
  return refusedAnswer({ status, headers, body }, { dialect, name: via?.upstream ?? '?' })
}

function textOf({ chunks }: TapedAnswer): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
}

/** An error as the client gets it, under the id that its request had then. */
function refusalOf(exchange: TapedExchange, error: HubError, reply: ClientReply = {}): ReplayedAnswer {
  const { answer } = exchange
  const { client } = callerOf(exchange)
  const { stream } = reply
  // A client that does not wait long for a head had one before anything was known.
  const hadHead = stream?.headWithin !== undefined && answer.status === 200
  if (stream !== undefined && (hadHead || failsInStream(error, reply))) {
    const bytes = Buffer.from(failedStream(error, client, reply))
    const { contentType } = stream
    return { status: 200, bytes, contentType, isStream: isEventStream(contentType), ended: 'failed' }
  }
  const known = answer.headers['request-id'] ?? answer.headers['x-request-id'] ?? requestIdIn(answer)
  const { status, body } = client.encodeError(error, known ?? client.newId.request('replayed'))
  const contentType = 'application/json'
  return { status, bytes: Buffer.from(body), contentType, isStream: false, ended: 'failed' }
}

function requestIdIn(answer: TapedAnswer): string | undefined {
  return /"request_id":"([\w-]+)"/.exec(textOf(answer))?.[1]
}

function passedThrough(answer: TapedAnswer): ReplayedAnswer {
  const { 'content-type': contentType = '' } = answer.headers
  return {
    status: answer.status,
    bytes: Buffer.concat(answer.chunks.map(({ bytes }) => bytes)),
    contentType,
    isStream: isEventStream(contentType),
    ended: answer.ended === 'clean' ? 'clean' : 'open',
  }
}

function isEventStream(contentType: string): boolean {
  return contentType.startsWith('text/event-stream')
}
