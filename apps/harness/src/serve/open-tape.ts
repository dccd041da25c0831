import { readTape, type Tape } from '@hydra/tape'
import { UsageError } from '../command.ts'

/** Reads the one tape that a command was given; one that cannot be read is a mistake of whoever typed it. */
export function openTape(command: string, [path, ...more]: readonly string[]): Tape {
  if (path === undefined)
    throw new UsageError(`${command}: expected a tape; see hydra-tape ${command} --help`)
  if (more.length > 0)
    throw new UsageError(`${command}: expected one tape, got '${more.join("' and '")}' too`)
  try {
    return readTape(path)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
