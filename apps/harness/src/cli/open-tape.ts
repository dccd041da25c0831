import { readTape, type Tape } from '@hydra/tape'
import { UsageError } from '../command.ts'

/** Opens the tape that was named; one of which nothing can be read is a mistake of whoever named it. */
export function openTape(folder: string): Tape {
  try {
    return readTape(folder)
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
  }
}
