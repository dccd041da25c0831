import { UsageError } from '@hydra/cli'
import { readTape, type Tape, type TapeProblem } from '@hydra/tape'

/** Opens the tape that was named; one of which nothing can be read is a mistake in what was typed. */
export function openTape(folder: string): Tape {
  try {
    return readTape(folder)
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
  }
}

/** What is wrong with a tape, with its line if it has one. */
export function problemWords({ line, reason }: TapeProblem): string {
  return line === 0 ? reason : `line ${line}: ${reason}`
}
