import type { DialectName, Memory } from '@hydra/core'
import {
  type BodyEnding,
  bodyEndingOf,
  callerOf,
  failureInAnswer,
  type PlayedTape,
  playTape,
  type Replay,
  replayExchange,
  type Tape,
  type TapedExchange,
  TapeMemory,
} from '@hydra/tape'
import { compareBeginnings, describeDifference, type Difference } from '../../compare/compare-answers.ts'
import { compareEnded } from '../../compare/compare-ended.ts'
import type { Answer } from '../../compare/normalize-answer.ts'
import { expectedExchange } from '../../drive/expected-exchange.ts'
import { sendRequest } from '../../drive/send-request.ts'
import { asTapedAnswer } from '../as-taped-answer.ts'
import type { ExchangeResult, Finding } from '../regress-result.ts'
import { gatewayOptionsFor } from './gateway-options.ts'
import { type Framework, startServer } from './start-server.ts'

/** How long a server may be silent before it is given up, in milliseconds. */
const PATIENCE = 20_000

/** Sends every exchange of a tape through a real server, in front of an upstream that plays the tape. */
export async function checkThrough(tape: Tape, framework: Framework): Promise<ExchangeResult[]> {
  const planned = plansFor(tape)
  const exchanges = planned.flatMap(({ exchange, plan }) => (typeof plan === 'string' ? [] : [exchange]))
  const player = await playTape({ ...tape, exchanges: exchanges.map(withoutWaits) })
  const memory = new TapeMemory()
  const results: ExchangeResult[] = []
  try {
    for (const { exchange, plan } of planned) {
      const result = { number: exchange.number, through: framework }
      if (typeof plan === 'string') {
        results.push({ ...result, outcome: 'skipped', reason: plan, findings: [] })
        continue
      }
      // oxlint-disable-next-line no-await-in-loop -- in the order of the tape
      const findings = await checkOne(exchange, plan, { player, framework, memory })
      results.push({ ...result, outcome: findings.length === 0 ? 'same' : 'different', findings })
    }
    return results
  } finally {
    await player.stop()
  }
}

/** The error that running exchanges get when a gateway is closed. */
const SHUTTING_DOWN = 'the server is shutting down'

interface Planned {
  readonly exchange: TapedExchange
  readonly plan: Replay | string
}

function plansFor({ exchanges }: Tape): readonly Planned[] {
  const memory = new TapeMemory()
  return exchanges.map((exchange) => ({ exchange, plan: planFor(exchange, memory) }))
}

/** What is expected of an exchange, or why it is left out. */
function planFor(exchange: TapedExchange, memory: Memory): Replay | string {
  const replay = replayExchange(exchange, memory)
  if ('reason' in replay) return replay.reason
  const ending = endingOf(exchange)
  const isOurs = typeof ending === 'object' && ending.failure.message === SHUTTING_DOWN
  const isTold = isOurs && Buffer.from(replay.answer.bytes).includes(SHUTTING_DOWN)
  return isTold ? 'the proxy itself gave up, which no server does again' : replay
}

function endingOf(exchange: TapedExchange): BodyEnding {
  const call = exchange.calls.at(-1)
  return call === undefined ? 'open' : bodyEndingOf(exchange, call)
}

/** An upstream that asks for patience before a second call would keep everybody waiting. */
function withoutWaits(exchange: TapedExchange): TapedExchange {
  const calls = exchange.calls.map((call, index) => {
    if (index === exchange.calls.length - 1) return call
    const headers = Object.entries(call.answer.headers).filter(([name]) => !name.startsWith('retry-after'))
    return { ...call, answer: { ...call.answer, headers: Object.fromEntries(headers) } }
  })
  return { ...exchange, calls }
}

interface Stage {
  readonly player: PlayedTape
  readonly framework: Framework
  readonly memory: Memory
}

async function checkOne(exchange: TapedExchange, replay: Replay, stage: Stage): Promise<Finding[]> {
  const { player, framework, memory } = stage
  const missed = player.misses.length
  const server = await startServer(framework, gatewayOptionsFor(exchange, player.origin, memory))
  try {
    const answer = asTapedAnswer(replay.answer)
    const repeated = expectedExchange({ ...exchange, answer })
    if (repeated === undefined) return []
    const received = await sendRequest(repeated, {
      target: new URL(server.url),
      headers: { 'content-type': 'application/json' },
      patience: PATIENCE,
      signal: AbortSignal.timeout(PATIENCE * 2),
    })
    const isPartial = repeated.isPartial || replay.answer.ended === 'open'
    const actual = withHeadersOf(answer, received, callerOf(exchange).dialect)
    const difference = isPartial ? compareBeginnings(answer, actual) : compareEnded(answer, actual, exchange)
    return [
      ...(difference === undefined ? [] : [answerFinding(difference)]),
      ...player.misses.slice(missed).map(({ explanation }) => requestFinding(explanation)),
      ...player.unconsumed
        .filter((recording) => recording.exchange === exchange.number)
        .map(({ call }) => requestFinding(`call ${call} of the upstream was not made`)),
    ]
  } finally {
    await server.close()
  }
}

function answerFinding(difference: Difference): Finding {
  return { about: 'answer', message: `the answer differs: ${describeDifference(difference)}` }
}

function requestFinding(message: string): Finding {
  return { about: 'request', message }
}

/** Only the type of the body is known of what comes out of a translator, and a broken answer ends how it can. */
function withHeadersOf({ headers }: Answer, received: Answer, dialect: DialectName): Answer {
  const { 'content-type': type = '' } = received.headers
  const expected = headers['content-type'] ?? ''
  const isSameType = type.split(';', 1)[0] === expected.split(';', 1)[0]
  return {
    ...received,
    headers: { 'content-type': isSameType ? expected : type },
    ended: endOf(received, dialect),
  }
}

/** The connection is closed after an error, on purpose. */
function endOf(received: Answer, dialect: DialectName): Answer['ended'] {
  return failureInAnswer(received, dialect) === undefined ? received.ended : 'clean'
}
