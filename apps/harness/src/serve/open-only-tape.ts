import { typedPath, UsageError } from '@hydra/cli'
import type { Tape } from '@hydra/tape'
import { openTape } from '../cli/open-tape.ts'
import type { Surroundings } from '../command.ts'

/** Reads the one tape that a command was given; one that cannot be read is a usage error. */
export function openOnlyTape(command: string, { paths, env }: TypedTape): Tape {
  const [path, ...more] = paths
  if (path === undefined)
    throw new UsageError(`${command}: expected a tape; see hydra-tape ${command} --help`)
  if (more.length > 0)
    throw new UsageError(`${command}: expected one tape, got '${more.join("' and '")}' too`)
  return openTape(typedPath(path, env))
}

/** What was typed in place of a tape, and where. */
export interface TypedTape extends Pick<Surroundings, 'env'> {
  readonly paths: readonly string[]
}
