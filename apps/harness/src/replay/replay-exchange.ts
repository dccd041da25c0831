import { HubError, type Note, parseJson, plainCall, toHubError } from '@hydra/core'
import type { TapedAnswer, TapedCall, TapedExchange } from '@hydra/tape'
import { bodyEndingOf } from './body-ending.ts'
import { playAnswer } from './play-answer.ts'
import { callerOf, pathOf, queryOf } from './caller.ts'
import { prepareCall, type PreparedCall, type ReplayedRequest } from './prepare-call.ts'

/** How much of an error's body the gateway reads, in characters. */
const MAX_ERROR_BODY = 64 * 1024

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
  /** Whether it has the end that belongs to it, an error in its place, or is only a beginning. */
  readonly ended: 'clean' | 'failed' | 'open'
}

/** An exchange that cannot be replayed, and why. */
export interface NotReplayed {
  readonly reason: string
}

/** Sends a recorded exchange through the current translator, in memory. */
export function replayExchange(exchange: TapedExchange): Replay | NotReplayed {
  const reason = obstacleOf(exchange)
  if (reason !== undefined) return { reason }
  try {
    return replayCalls(exchange, decodeBody(exchange))
  } catch (thrown) {
    return { upstreamRequests: [], notes: [], answer: refusalOf(exchange, toHubError(thrown)) }
  }
}

/** The body of an exchange's request as the hub understands it; what the client would be refused with is thrown. */
export function decodeBody(exchange: TapedExchange): DecodedBody {
  const { client, params } = callerOf(exchange)
  const { path = '', headers = {} } = exchange.request ?? {}
  const call = plainCall(valueOf(exchange), { path, params, query: queryOf(path), headers })
  return { client, ...client.decodeRequest(call) }
}

/** A request as the hub understands it, and whose it is. */
export interface DecodedBody extends ReplayedRequest {
  readonly notes: readonly Note[]
}

function valueOf({ request }: TapedExchange): unknown {
  return parseJson(new TextDecoder().decode(request?.body))
}

/** Why an exchange cannot be replayed at all. */
function obstacleOf(exchange: TapedExchange): string | undefined {
  const { request, calls, end } = exchange
  if (request === undefined) return 'its request is not on the tape'
  if (callerOf(exchange).endpoint?.purpose !== 'generate') {
    return `${request.method} ${pathOf(request.path)} is not translated`
  }
  if (calls.some(({ via }) => via === undefined)) return 'the tape does not say how the upstream was called'
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
  const { answer, notes: answerNotes } = translated(exchange, call, prepared)
  return {
    upstreamRequests,
    answer: { ...answer, isStream: answer.isStream && reply.stream !== undefined },
    notes: [...notes, ...prepared.notes, ...answerNotes],
  }
}

interface Translated {
  readonly answer: ReplayedAnswer
  readonly notes: readonly Note[]
}

function translated(exchange: TapedExchange, call: TapedCall, prepared: PreparedCall): Translated {
  const refusal = refusedBy(call, prepared)
  if (refusal !== undefined) return { answer: refusalOf(exchange, refusal), notes: [] }
  const translation = prepared.newTranslation()
  const pieces = call.answer.chunks.map(({ bytes }) => bytes)
  const played = playAnswer(translation, pieces, bodyEndingOf(exchange, call))
  const { text, ended, failure, isRefused } = played
  if (failure !== undefined && isRefused) {
    return { answer: refusalOf(exchange, failure), notes: translation.notes }
  }
  const status = text === '' ? undefined : 200
  return { answer: { status, bytes: Buffer.from(text), isStream: true, ended }, notes: translation.notes }
}

/** What a call is refused with by its status alone. */
export function refusedBy({ answer, via }: TapedCall, { dialect }: PreparedCall): HubError | undefined {
  const { status, headers } = answer
  if (status === undefined) return undefined
  if (status >= 400) {
    const body = isEncoded(answer) ? '' : textOf(answer).slice(0, MAX_ERROR_BODY)
    return dialect.decodeError({ status, headers, body })
  }
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && !isEncoded(answer)) return undefined
  const reason = isSuccess
    ? `answered with content-encoding ${headers['content-encoding']}, which was not asked for`
    : `answered with status ${status}, which is not followed`
  return new HubError('api_error', `upstream ${via?.upstream}: ${reason}`, { status: 502 })
}

function isEncoded({ headers: { 'content-encoding': encoding } }: TapedAnswer): boolean {
  return encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity'
}

function textOf({ chunks }: TapedAnswer): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
}

/** An error as the client gets it, under the id that its request had then. */
function refusalOf(exchange: TapedExchange, error: HubError): ReplayedAnswer {
  const { answer } = exchange
  const { client } = callerOf(exchange)
  const known = answer.headers['request-id'] ?? answer.headers['x-request-id'] ?? requestIdIn(answer)
  const { status, body } = client.encodeError(error, known ?? client.newId.request('replayed'))
  return { status, bytes: Buffer.from(body), isStream: false, ended: 'failed' }
}

function requestIdIn(answer: TapedAnswer): string | undefined {
  return /"request_id":"([\w-]+)"/.exec(textOf(answer))?.[1]
}

function passedThrough(answer: TapedAnswer): ReplayedAnswer {
  return {
    status: answer.status,
    bytes: Buffer.concat(answer.chunks.map(({ bytes }) => bytes)),
    isStream: answer.headers['content-type']?.startsWith('text/event-stream') === true,
    ended: answer.ended === 'clean' ? 'clean' : 'open',
  }
}
