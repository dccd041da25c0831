import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '@hydra/cli'
import { readTape, TAPE_FILE } from '@hydra/tape'
import { tapeFolders } from '../regress/tape-folders.ts'

/** A tape that was written to. */
export interface NewTape {
  readonly folder: string
  readonly exchanges: number
}

/** How large each tape below a folder is: a tape that was written to is larger, and need not be read to know it. */
export function tapeSizes(folder: string): ReadonlyMap<string, number> {
  try {
    return new Map(tapeFolders([folder], folder).map((tape) => [tape, statSync(join(tape, TAPE_FILE)).size]))
  } catch (error) {
    // Before the first recording there is no folder, or no tape in it.
    if (error instanceof UsageError) return new Map()
    throw error
  }
}

/** The tapes that were written to since their sizes were taken. */
export function newTapes(folder: string, before: ReadonlyMap<string, number>): readonly NewTape[] {
  const changed = [...tapeSizes(folder)].filter(([tape, size]) => size !== before.get(tape))
  return changed.map(([tape]) => ({ folder: tape, exchanges: countOf(tape) }))
}

function countOf(folder: string): number {
  try {
    return readTape(folder).exchanges.length
  } catch {
    return 0
  }
}
