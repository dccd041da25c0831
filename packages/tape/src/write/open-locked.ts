import { join } from 'node:path'
import { TAPE_FILE } from '../format/lines.ts'
import { reasonOf, TapeError } from '../format/tape-error.ts'
import type { TapeWriter } from './tape-writer.ts'
import { lockTape, unlockTape } from './writer-lock.ts'

/** The folder of a tape, and what is to be done before it can be locked. */
export interface FolderToOpen {
  readonly folder: string
  readonly prepare?: () => void
}

/**
 * Opens a tape that no other process writes, and keeps its lock if that goes well. Undefined if another process writes
 * it; a `TapeError` if it cannot be opened.
 */
export function openLocked(
  { folder, prepare }: FolderToOpen,
  open: () => TapeWriter,
): TapeWriter | undefined {
  try {
    prepare?.()
    return lockTape(folder) ? openOrUnlock(folder, open) : undefined
  } catch (thrown) {
    throw cannotRecord(folder, thrown)
  }
}

/** The error of a tape that cannot be written. */
export function cannotRecord(folder: string, cause: unknown): TapeError {
  const file = join(folder, TAPE_FILE)
  return new TapeError({ file, reason: `cannot be recorded: ${reasonOf(cause)}`, cause })
}

function openOrUnlock(folder: string, open: () => TapeWriter): TapeWriter {
  try {
    return open()
  } catch (thrown) {
    unlockTape(folder)
    throw thrown
  }
}
