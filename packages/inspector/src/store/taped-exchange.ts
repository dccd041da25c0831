import { Buffer } from 'node:buffer'
import type {
  Leg,
  LineType,
  Moment,
  TapedAnswer,
  TapedCall,
  TapedChunk,
  TapeData,
  TapedExchange,
  TapedRequest,
  TapeLine,
  TapeRedaction,
} from '@hydra/tape'
import type { LiveAnswer, LiveCall, LiveExchange, LiveRequest } from './live-exchange.ts'

/** An exchange as a tape would have it by now: without secrets, and with the headers that are recorded. */
export function tapedExchange(live: LiveExchange, redaction: TapeRedaction): TapedExchange {
  const { number, request, calls, answer, notes, counted, outcome, cost } = live
  return {
    number,
    request: request === undefined ? undefined : tapedRequest(live, request, redaction),
    calls: calls.map((call) => tapedCall(live, call, redaction)),
    answer: tapedAnswer(answer, redaction),
    notes: redaction.values(notes),
    usage: counted,
    moments: momentsOf(live, redaction),
    end: outcome === undefined ? undefined : { outcome, hashes: {}, ...(cost !== undefined && { cost }) },
  }
}

function tapedRequest(live: LiveExchange, request: LiveRequest, redaction: TapeRedaction): TapedRequest {
  const { at, head } = request
  const { method, path, headers, dialect } = head
  return {
    method,
    path: redaction.text(path),
    headers: redaction.headers(headers),
    body: redaction.bytes(live.bodyOf(request)),
    at,
    ...(dialect !== undefined && { dialect }),
  }
}

function tapedCall(live: LiveExchange, call: LiveCall, redaction: TapeRedaction): TapedCall {
  const via = { ...redaction.values(call.via), dialect: call.via.dialect }
  return { request: tapedRequest(live, call, redaction), via, answer: tapedAnswer(call.answer, redaction) }
}

function tapedAnswer({ status, headers, at, ended, log }: LiveAnswer, redaction: TapeRedaction): TapedAnswer {
  const chunks = withoutSecrets(log.chunks(), redaction, ended)
  return { status, headers: redaction.headers(headers), at, chunks, ended }
}

/** A secret may be spread over several chunks; a mark is as long as what it covers. */
function withoutSecrets(
  chunks: readonly TapedChunk[],
  redaction: TapeRedaction,
  ended: TapedAnswer['ended'],
): TapedChunk[] {
  const stream = redaction.stream()
  const pieces = chunks.map(({ bytes }) => stream.push(latin1(bytes)))
  if (ended === 'clean') stream.end()
  else stream.cut()
  return chunks.map((chunk, index) => {
    const piece = pieces[index]
    return piece?.isCovered === true ? { at: chunk.at, bytes: Buffer.from(piece.text, 'latin1') } : chunk
  })
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** The lines of a tape that say more than requests and answers do: the begin, what went wrong, the end. */
function momentsOf(live: LiveExchange, redaction: TapeRedaction): Moment[] {
  const moments: Moment[] = [
    momentOf(live, live.begun, 'req', { method: 'POST', path: '', headers: {} }),
    ...live.events.map((event) => {
      const { at, type, ...data } = event
      return momentOf(live, at, type, redaction.values(data) as TapeData[typeof type])
    }),
  ]
  const last = live.over ?? lastTimeOf(live)
  return [...moments, momentOf(live, last, 'end', null)]
}

function lastTimeOf({ begun, calls, answer, request }: LiveExchange): number {
  const logs = [answer.log, ...calls.map((call) => call.answer.log)]
  const chunks = logs.map(({ lastAt = 0 }) => lastAt)
  return Math.max(begun, request?.at ?? 0, answer.at ?? 0, ...calls.map(({ at }) => at), ...chunks)
}

function momentOf<Type extends LineType>(
  { number }: LiveExchange,
  at: number,
  type: Type,
  data: TapeData[Type],
): Moment {
  const leg: Leg = ''
  return { at, leg, line: 0, event: [0, 0, number, leg, type, data] as TapeLine }
}
