import { basename } from 'node:path'
import type { ChaosFailure, ChaosResult } from './chaos.ts'

/** A result in words: what was looked at, what was left out, and how to repeat what failed. */
export function describeChaos(result: ChaosResult, seed: number): string {
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
      `    ${repeatCommand(folder, failure)}`,
    ]),
    ...(isInterrupted ? ['  stopped before the end'] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** The command that does exactly what failed. */
export function repeatCommand(folder: string, { name, exchange, call, seed, offset }: ChaosFailure): string {
  return `hydra-tape chaos ${quoted(folder)} --seed ${seed} --cases ${name} --exchange ${exchange} --call ${call} --offset ${offset}`
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
