import { type DialectName, type HubError, splitEvents } from '@hydra/core'
import { callerOf, eventsBeforeFailure, failureInAnswer, type TapedExchange } from '@hydra/tape'
import { compareAnswers, compareBeginnings, type Difference } from './compare-answers.ts'
import type { Answer } from './normalize-answer.ts'

/** Compares two answers that were read to their ends; the words for a broken connection make no difference. */
export function compareEnded(
  expected: Answer,
  actual: Answer,
  exchange: Pick<TapedExchange, 'calls' | 'request'>,
): Difference | undefined {
  const { dialect } = callerOf(exchange)
  const [wanted, given] = [failureInAnswer(expected, dialect), failureInAnswer(actual, dialect)]
  if (wanted === undefined || given === undefined) return compareAnswers(expected, actual)
  const isBroken = (exchange.calls.at(-1)?.answer.ended ?? 'clean') !== 'clean'
  const isMoved = hasMoved(expected, actual)
  const isSameKind = wanted.kind === given.kind || (isMoved && areServerErrors(wanted, given))
  if (!isSameKind || !(isBroken || wordsOf(wanted) === wordsOf(given))) {
    return compareAnswers(expected, actual)
  }
  if (isMoved) return undefined
  return isBroken ? compareBroken(expected, actual, dialect) : compareAnswers(expected, actual)
}

/** Whether the first words came with the failure or before it differs between runs, and so does the status. */
function hasMoved(expected: Answer, actual: Answer): boolean {
  return actual.status !== expected.status && (expected.status === 200 || actual.status === 200)
}

function areServerErrors(...failures: readonly HubError[]): boolean {
  return failures.every(({ status }) => status >= 500)
}

/** Inside of a stream some clients are told of an overload, whatever has failed. */
function wordsOf({ message }: HubError): string {
  return message.replace(/^Overloaded: /, '')
}

/** How a connection breaks is told in other words each time, and it may take the last events with it. */
function compareBroken(expected: Answer, actual: Answer, dialect: DialectName): Difference | undefined {
  const found = compareBeginnings(beforeFailure(actual, dialect), beforeFailure(expected, dialect))
  return found && { where: found.where, expected: found.actual, actual: found.expected }
}

function beforeFailure(answer: Answer, dialect: DialectName): Answer {
  const events = splitEvents(Buffer.concat(answer.chunks.map(({ bytes }) => bytes)))
  return { ...answer, chunks: eventsBeforeFailure(events, dialect).map((bytes) => ({ bytes })) }
}
