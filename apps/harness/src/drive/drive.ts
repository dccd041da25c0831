import { shortened, visibleLine } from '@hydra/cli'
import type { Tape, TapedExchange } from '@hydra/tape'
import { compareBeginnings, type Difference } from '../compare/compare-answers.ts'
import { compareEnded } from '../compare/compare-ended.ts'
import { type ExpectedExchange, expectedExchange } from './expected-exchange.ts'
import { type ReceivedAnswer, type Sending, sendRequest } from './send-request.ts'

/** What became of one exchange. */
export interface DrivenExchange {
  readonly number: number
  readonly outcome: 'same' | 'different' | 'skipped'
  /** Why it was skipped, or what was not compared. */
  readonly reason?: string
  readonly difference?: Difference
}

/** What became of all exchanges, in the order of the tape. */
export interface DriveResult {
  readonly exchanges: readonly DrivenExchange[]
  /** It was stopped before everything was sent. */
  readonly isInterrupted: boolean
}

/** How a tape is driven. */
export interface DriveOptions extends Sending {
  /** Hears of each exchange as soon as it is known what became of it. */
  readonly onExchange?: (exchange: DrivenExchange) => void
}

/** Sends the requests of a tape as its client did, and compares what comes back with what came then. */
export async function drive(tape: Tape, options: DriveOptions): Promise<DriveResult> {
  const { signal, onExchange } = options
  const running: Running[] = []
  for (const exchange of inOrder(tape)) {
    const before = running.filter(({ over }) => over <= exchange.request.at)
    // oxlint-disable-next-line no-await-in-loop -- what was over when this one began has to be over now
    await Promise.all(before.map(({ done }) => done))
    if (signal.aborted) break
    running.push({ over: exchange.over, done: repeat(exchange, options) })
  }
  const driven = await Promise.all(running.map(({ done }) => done))
  const byNumber = new Map(driven.map((exchange) => [exchange.number, exchange]))
  const exchanges = tape.exchanges.map((exchange) => {
    const known = byNumber.get(exchange.number)
    if (known !== undefined) return known
    const skipped = skip(exchange)
    onExchange?.(skipped)
    return skipped
  })
  return { exchanges, isInterrupted: signal.aborted }
}

interface Running {
  readonly over: number
  readonly done: Promise<DrivenExchange>
}

async function repeat(exchange: ExpectedExchange, options: DriveOptions): Promise<DrivenExchange> {
  const received = await sendRequest(exchange, options)
  const wasStopped = options.signal.aborted && received.ended !== 'clean'
  const driven = wasStopped ? stopped(exchange) : judge(exchange, received)
  options.onExchange?.(driven)
  return driven
}

function inOrder({ exchanges }: Tape): readonly ExpectedExchange[] {
  return exchanges
    .map(expectedExchange)
    .filter((exchange) => exchange !== undefined)
    .toSorted((one, other) => one.request.at - other.request.at)
}

/** An answer that we did not wait for is neither the same nor different. */
function stopped({ number }: ExpectedExchange): DrivenExchange {
  return { number, outcome: 'skipped', reason: 'it was stopped before its answer was complete' }
}

function skip({ number, request }: TapedExchange): DrivenExchange {
  const reason =
    request === undefined ? 'its request is not on the tape' : 'it was stopped before it was sent'
  return { number, outcome: 'skipped', reason }
}

function judge(expected: ExpectedExchange, received: ReceivedAnswer): DrivenExchange {
  const { number, answer, leave, isPartial } = expected
  const found = isPartial ? compareBeginnings(answer, received) : compareEnded(answer, received, expected)
  if (found !== undefined) return { number, outcome: 'different', difference: withReason(found, received) }
  if (!isPartial) return { number, outcome: 'same' }
  const reason = leave === undefined ? 'its recording was interrupted' : 'its client left'
  return { number, outcome: 'same', reason: `compared as far as it goes: ${reason}` }
}

/** This much of the body of an error is shown. */
const SHOWN = 300

/** An answer that is missing, cut off or an error says why. */
function withReason(found: Difference, received: ReceivedAnswer): Difference {
  const { failure, status, ended } = received
  const isWhole = status !== undefined && ended === 'clean'
  const reason = isWhole ? errorText(received) : failure
  return reason === undefined || reason === '' ? found : { ...found, actual: `${found.actual} (${reason})` }
}

function errorText({ status = 0, chunks }: ReceivedAnswer): string | undefined {
  if (status < 400) return undefined
  return shortened(visibleLine(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()), SHOWN)
}
