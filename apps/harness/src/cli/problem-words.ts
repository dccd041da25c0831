import type { TapeProblem } from '@hydra/tape'

/** What is wrong with a tape, with its line if it has one. */
export function problemWords({ line, reason }: TapeProblem): string {
  return line === 0 ? reason : `line ${line}: ${reason}`
}
