import { visibleLine } from '@hydra/cli'

/** What a command came to, in one word and the reason for it. */
export interface Verdict {
  readonly passed: boolean
  readonly reason: string
}

/** The words for exchanges of a tape that a command did without. */
export function unaskedFor(exchanges: readonly number[]): string {
  const [first, ...more] = exchanges
  if (more.length === 0) return `exchange ${first} was not asked for`
  return `exchanges ${exchanges.join(', ')} were not asked for`
}

/** The last line of a command that judges. */
export function verdictLine({ passed, reason }: Verdict): string {
  return `${passed ? 'passed' : 'failed'}: ${visibleLine(reason)}\n`
}
