import { basename } from 'node:path'
import { quotedWord, visibleLine, visibleText } from '@hydra/cli'
import { problemWords } from '../cli/open-tape.ts'
import type { ChaosFailure, ChaosResult } from './chaos.ts'

/** How a result is told. */
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

/** What became of several tapes, and those of which nothing was looked at. */
export function describeAll(results: readonly ChaosResult[]): string {
  const failures = results.reduce((sum, result) => sum + result.failures.length, 0)
  const damaged = results.filter(({ problems }) => problems.length > 0).length
  const counts = [
    `${results.length} tapes`,
    `${failures} failures`,
    ...(damaged === 0 ? [] : [`${damaged} damaged`]),
  ]
  const unchecked = results.filter(({ checked }) => Object.keys(checked).length === 0)
  const reasons = unchecked.map(({ folder, leftOut, problems }) => {
    const why = leftOut[0]?.reason ?? problems[0]?.reason ?? 'there is no such case'
    return `  nothing was checked of ${visibleLine(basename(folder))}: ${visibleLine(why)}`
  })
  return `${[counts.join(', '), ...reasons].join('\n')}\n`
}
