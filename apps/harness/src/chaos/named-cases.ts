import { UsageError } from '@hydra/cli'
import type { CaseName } from './chaos.ts'
import { FAULTS, type FaultName } from './faults.ts'

const SOCKETS: readonly CaseName[] = ['socket-cut', 'socket-reset']
const IN_MEMORY = Object.keys(FAULTS) as FaultName[]

/** Names for groups of cases, and the cases in each. */
const WORDS: ReadonlyMap<string, readonly CaseName[]> = new Map<string, readonly CaseName[]>([
  ['all', [...IN_MEMORY, ...SOCKETS]],
  ['sockets', SOCKETS],
  ...[...IN_MEMORY, ...SOCKETS].map((name) => [name, [name]] as const),
])

/** The cases that were typed, with commas between them; all of them if none were. */
export function namedCases(typed = 'all'): readonly CaseName[] {
  const cases = typed.split(',').flatMap((word) => {
    const named = WORDS.get(word)
    if (named !== undefined) return named
    throw new UsageError(`--cases: expected ${[...WORDS.keys()].join(', ')}, got '${word}'`)
  })
  return [...new Set(cases)]
}
