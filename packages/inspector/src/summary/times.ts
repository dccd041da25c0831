import type { TapedAnswer, TapedExchange } from '@hydra/tape'
import type { Gap, LegSize, Times } from './session-summary.ts'

/** A silence that a person notices, in microseconds. */
const NOTICED = 1_000_000

/** Where the time of an exchange went. */
export function timesOf(exchange: TapedExchange, firstToken: number | undefined): Times {
  const { request, calls, moments, answer } = exchange
  const begun = moments[0]?.at ?? request?.at ?? 0
  const last = calls.at(-1)
  const timed = last?.answer ?? answer
  return {
    begun,
    called: last?.request.at,
    head: timed.at,
    firstToken,
    lastChunk: timed.chunks.at(-1)?.at,
    over: moments.at(-1)?.at ?? begun,
    gaps: gapsIn(timed),
    upstream: sizeOf(calls.map((call) => call.answer)),
    client: sizeOf([answer]),
  }
}

function gapsIn({ chunks }: TapedAnswer): Gap[] {
  const gaps = chunks.slice(1).map((chunk, index) => {
    const at = chunks[index]?.at ?? chunk.at
    return { at, length: chunk.at - at }
  })
  return gaps.filter(({ length }) => length > NOTICED)
}

function sizeOf(answers: readonly TapedAnswer[]): LegSize {
  const chunks = answers.flatMap((answer) => answer.chunks)
  return { chunks: chunks.length, bytes: chunks.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}
