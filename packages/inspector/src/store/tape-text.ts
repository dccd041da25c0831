import { Buffer, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  type Leg,
  type LineType,
  TAPE_VERSION,
  type TapedAnswer,
  type TapedBytes,
  type TapeData,
  type TapedExchange,
  type TapedRequest,
  type TapeHeader,
} from '@hydra/tape'

interface Line {
  readonly at: number
  readonly leg: Leg
  readonly type: LineType
  readonly data: TapeData[LineType]
}

const HAPPENED: ReadonlySet<LineType> = new Set(['abort', 'timeout', 'retry'])

/** One exchange as the text of a `tape.jsonl`, with everything in that one file. */
export function tapeText(exchange: TapedExchange, header: Omit<TapeHeader, 'tape' | 'started'>): string {
  const lines = linesOf(exchange)
  const started = Math.floor((lines[0]?.at ?? 0) / 1000) * 1000
  const first: TapeHeader = { tape: TAPE_VERSION, ...header, started: new Date(started / 1000).toISOString() }
  let before = started
  const rest = lines.map(({ at, leg, type, data }, index) => {
    const line = [index + 1, at - before, 1, leg, type, data]
    before = at
    return line
  })
  return [first, ...rest].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** In the order in which things happened; of two at the same time the upstream's is the cause. */
function linesOf(exchange: TapedExchange): Line[] {
  const { request, calls, answer, moments, notes, usage, end } = exchange
  const over = moments.at(-1)?.at ?? 0
  const happened = moments
    .filter(({ event }) => HAPPENED.has(event[4]))
    .map(({ at, leg, event }): Line => ({ at, leg, type: event[4], data: event[5] }))
  const lines: Line[] = [
    ...(request === undefined ? [] : [requestLine('c>', request)]),
    ...calls.map((call) => requestLine('>u', call.request, call.via)),
    ...calls.flatMap((call) => answerLines('u>', call.answer, over)),
    ...answerLines('>c', answer, over),
    ...happened,
  ]
  return [
    ...lines.toSorted((one, other) => one.at - other.at),
    ...notes.map((note): Line => ({ at: over, leg: '', type: 'note', data: note })),
    ...(usage === undefined ? [] : [{ at: over, leg: '', type: 'usage', data: usage } satisfies Line]),
    ...(end === undefined
      ? []
      : [{ at: over, leg: '', type: 'end', data: { ...end, hashes: hashesOf(exchange) } } satisfies Line]),
  ]
}

function requestLine(leg: Leg, request: TapedRequest, via?: TapeData['req']['via']): Line {
  const { at, method, path, headers, body, dialect } = request
  const data: TapeData['req'] = {
    method,
    path,
    headers,
    ...(body.length > 0 && { body: tapedBytes(body) }),
    ...(dialect !== undefined && { dialect }),
    ...(via !== undefined && { via }),
  }
  return { at, leg, type: 'req', data }
}

function answerLines(leg: Leg, { status, headers, at, chunks, ended }: TapedAnswer, over: number): Line[] {
  if (status === undefined || at === undefined) return []
  const last = chunks.at(-1)?.at ?? at
  return [
    { at, leg, type: 'res', data: { status, headers } },
    ...chunks.map((chunk): Line => ({ at: chunk.at, leg, type: 'd', data: tapedBytes(chunk.bytes) })),
    ...(ended === 'clean' ? [{ at: Math.min(last, over), leg, type: 'end', data: null } satisfies Line] : []),
  ]
}

function tapedBytes(bytes: Uint8Array): TapedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return isUtf8(buffer) ? buffer.toString('utf8') : { base64: buffer.toString('base64') }
}

function hashesOf({ request, calls, answer }: TapedExchange): Record<string, string> {
  const legs: [string, readonly Uint8Array[]][] = [
    ['c>', request === undefined ? [] : [request.body]],
    ['>u', calls.map((call) => call.request.body)],
    ['u>', calls.flatMap((call) => call.answer.chunks.map(({ bytes }) => bytes))],
    ['>c', answer.chunks.map(({ bytes }) => bytes)],
  ]
  return Object.fromEntries(
    legs
      .filter(([, pieces]) => pieces.some(({ length }) => length > 0))
      .map(([leg, pieces]) => {
        const hash = createHash('sha256')
        for (const piece of pieces) hash.update(piece)
        return [leg, hash.digest('hex')]
      }),
  )
}
