import { basename } from 'node:path'
import { quotedWord, visibleLine, visibleText } from '@hydra/cli'
import { problemWords } from '../cli/open-tape.ts'
import { countOf } from '@hydra/inspector/summary'
import { junitReport } from '../verdict/junit.ts'
import { type Verdict, verdictLine } from '../verdict/verdict.ts'
import type { ChaosFailure, ChaosResult } from './chaos.ts'

/** The words for a result. */
export interface Described {
  readonly seed: number
  /** What this program is called where it was started. */
  readonly program?: string
}

/** A result in words: what was looked at, what was left out, and how to repeat what failed. */
export function describeChaos(result: ChaosResult, { seed, program = 'hydra-tape' }: Described): string {
  const { folder, problems, answers, leftOut, checked, sampled, failures, isInterrupted } = result
  const name = basename(folder)
  const counts = Object.entries(checked).map(([fault, count]) => `${fault} ${count}`)
  const lines = [
    `${name}: ${answers} answers, seed ${seed}: ${counts.join(', ') || 'nothing was checked'}`,
    ...problems.map((problem) => `  ${problemWords(problem)}`),
    ...leftOut.map(({ exchange, reason }) => `  exchange ${exchange} is left alone: ${reason}`),
    ...sampled.map(
      (draw) => `  exchange ${draw.exchange}: ${draw.name} at ${draw.checked} of ${draw.of} places`,
    ),
    ...failures.flatMap((failure) => [
      `  FAILED exchange ${failure.exchange}, ${failure.name} at ${failure.offset}: ${failure.message}`,
      `    ${program} ${repeatCommand(folder, failure)}`,
    ]),
    ...(isInterrupted ? ['  stopped before the end'] : []),
  ]
  return `${visibleText(lines.join('\n'))}\n`
}

/** What is to be typed after the program's name to do exactly what failed. */
export function repeatCommand(folder: string, { name, exchange, call, seed, offset }: ChaosFailure): string {
  return `chaos ${quotedWord(folder)} --seed ${seed} --cases ${name} --exchange ${exchange} --call ${call} --offset ${offset}`
}

/** What became of all tapes, and those of which nothing was looked at. */
export function describeAll(results: readonly ChaosResult[]): string {
  const unchecked = results.filter(({ checked }) => Object.keys(checked).length === 0)
  const reasons = unchecked.map(({ folder, leftOut, problems }) => {
    const why = leftOut[0]?.reason ?? problems[0]?.reason ?? 'there is no such case'
    return `  nothing was checked of ${visibleLine(basename(folder))}: ${visibleLine(why)}\n`
  })
  return (results.length > 1 ? reasons.join('') : '') + verdictLine(chaosVerdict(results))
}

/** Whether everything was borne, and the counts. */
export function chaosVerdict(results: readonly ChaosResult[]): Verdict {
  const count = (of: (result: ChaosResult) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0)
  const failures = count((result) => result.failures.length)
  const damaged = results.filter(({ problems }) => problems.length > 0).length
  const cases = count(({ checked }) => Object.values(checked).reduce((sum, of) => sum + of, 0))
  const isStopped = results.some(({ isInterrupted }) => isInterrupted)
  const counts = [
    countOf(results.length, 'tape'),
    countOf(cases, 'case'),
    countOf(failures, 'failure'),
    ...(damaged === 0 ? [] : [`${damaged} damaged`]),
    ...(isStopped ? ['stopped before the end'] : []),
  ]
  return { passed: results.every(({ ok }) => ok) && !isStopped, reason: counts.join(', ') }
}

/** The results as a JUnit report: a suite for each tape, a case for each kind of fault. */
export function chaosReport(results: readonly ChaosResult[]): string {
  return junitReport(
    'chaos',
    results.map(({ folder, checked, failures, problems }) => ({
      name: basename(folder),
      cases: [
        ...Object.entries(checked).map(([name, count]) => {
          const own = failures.filter((failure) => failure.name === name)
          const text = own
            .map((one) => `exchange ${one.exchange} at ${one.offset}: ${one.message}`)
            .join('\n')
          const failure = own.length === 0 ? undefined : { message: own[0]?.message ?? '', text }
          return { name: `${name} ${count}`, failure }
        }),
        ...problems.map((problem) => ({
          name: 'the tape itself',
          failure: { message: problemWords(problem), text: '' },
        })),
      ],
    })),
  )
}
