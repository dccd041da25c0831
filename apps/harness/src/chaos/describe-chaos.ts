import { basename } from 'node:path'
import { quotedWord } from '../cli/quoted-word.ts'
import type { ChaosFailure, ChaosResult } from './chaos.ts'

/** How a result is told. */
export interface Described {
  readonly seed: number
  /** What this program is called where it was started. */
  readonly program?: string
}

/** A result in words: what was looked at, what was left out, and how to repeat what failed. */
export function describeChaos(result: ChaosResult, { seed, program = 'hydra-tape' }: Described): string {
  const { folder, answers, leftOut, checked, sampled, failures, isInterrupted } = result
  const name = basename(folder)
  const counts = Object.entries(checked).map(([fault, count]) => `${fault} ${count}`)
  const lines = [
    `${name}: ${answers} answers, seed ${seed}: ${counts.join(', ') || 'nothing was checked'}`,
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
  return `${lines.join('\n')}\n`
}

/** What is to be typed after the program's name to do exactly what failed. */
export function repeatCommand(folder: string, { name, exchange, call, seed, offset }: ChaosFailure): string {
  return `chaos ${quotedWord(folder)} --seed ${seed} --cases ${name} --exchange ${exchange} --call ${call} --offset ${offset}`
}
