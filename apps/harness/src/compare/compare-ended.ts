import type { TapedExchange } from '@hydra/tape'
import { failureTold } from '../replay/body-ending.ts'
import { compareAnswers, compareBeginnings, type Difference } from './compare-answers.ts'
import type { Answer } from './normalize-answer.ts'

/** Compares two answers that were read to their ends; the words for a broken connection make no difference. */
export function compareEnded(
  expected: Answer,
  actual: Answer,
  { calls }: Pick<TapedExchange, 'calls'>,
): Difference | undefined {
  const [wanted, given] = [failureTold(expected), failureTold(actual)]
  if (wanted === undefined || given === undefined) return compareAnswers(expected, actual)
  const last = calls.at(-1)
  const isBroken = last !== undefined && last.answer.ended !== 'clean'
  if (wanted.kind !== given.kind || !(isBroken || wanted.message === given.message)) {
    return compareAnswers(expected, actual)
  }
  // Whether the first words came with the failure or before it differs between runs, and so does the status.
  const isAlreadyOpen = expected.status === 200 || actual.status === 200
  if (actual.status !== expected.status && isAlreadyOpen) return undefined
  return isBroken ? compareBroken(expected, actual) : compareAnswers(expected, actual)
}

/** How a connection breaks is told in other words each time, and it may take the last events with it. */
function compareBroken(expected: Answer, actual: Answer): Difference | undefined {
  const found = compareBeginnings(withoutError(actual), withoutError(expected))
  return found && { where: found.where, expected: found.actual, actual: found.expected }
}

function withoutError(answer: Answer): Answer {
  const text = Buffer.concat(answer.chunks.map(({ bytes }) => bytes)).toString()
  return { ...answer, chunks: [{ bytes: Buffer.from(text.replace(/event: error\n[^\n]*\n\n$/, '')) }] }
}
