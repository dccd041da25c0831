import { Buffer } from 'node:buffer'
import { chmodSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { TAPE_FILE, TAPE_VERSION, type TapeHeader } from '../format/lines.ts'
import { makeFolder } from './make-folder.ts'
import { cannotRecord, openLocked } from './open-locked.ts'
import { TapeWriter } from './tape-writer.ts'

/** What a new tape is. */
export interface NewTape {
  /** The folder of the tape; it is made, and must not exist or be empty. */
  readonly folder: string
  /** Everything of the header but its version and its beginning. */
  readonly header: Omit<TapeHeader, 'tape' | 'started'>
  /** When the recording begins, in microseconds since the epoch. */
  readonly started: number
  /** Called once, when the tape cannot be written any more. */
  readonly onProblem?: (message: string) => void
  /** For how many milliseconds lines are gathered before they are written together; by default each is written at once. */
  readonly gather?: number
}

/** Makes a tape: a folder that only its owner can read, with a header. Throws a `TapeError` if that cannot be done. */
export function createTape({ folder, header, started, onProblem = ignore, gather }: NewTape): TapeWriter {
  const file = join(folder, TAPE_FILE)
  // Milliseconds are all that the header keeps; the first line counts from there.
  const at = Math.floor(started / 1000) * 1000
  const full: TapeHeader = { tape: TAPE_VERSION, ...header, started: new Date(at / 1000).toISOString() }
  const prepare = (): void => {
    makeFolder(folder)
    chmodSync(folder, 0o700)
  }
  const opened = openLocked({ folder, prepare }, () => {
    const descriptor = openSync(file, 'ax', 0o600)
    const bytes = Buffer.from(`${JSON.stringify(full)}\n`, 'utf8')
    if (writeSync(descriptor, bytes) !== bytes.length) throw new Error('the header could not be written')
    const position = { size: bytes.length, line: 0, exchange: 0, at }
    return new TapeWriter({ folder, descriptor, onProblem, gather, ...position })
  })
  if (opened === undefined) throw cannotRecord(folder, new Error('another process writes this tape'))
  return opened
}

function ignore(): void {}
