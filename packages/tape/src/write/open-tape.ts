import { chmodSync, closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { TAPE_FILE, TAPE_VERSION, type TapeHeader } from '../format/lines.ts'
import { reasonOf, TapeError } from '../format/tape-error.ts'
import { makeFolder } from './make-folder.ts'
import { TapeWriter } from './tape-writer.ts'
import { lockTape, unlockTape } from './writer-lock.ts'

/** What a new tape is. */
export interface NewTape {
  /** The folder of the tape; it is made, and must not exist or be empty. */
  readonly folder: string
  /** Everything of the header but its version and its beginning. */
  readonly header: Omit<TapeHeader, 'tape' | 'started'>
  /** When the recording begins, in microseconds since the epoch. */
  readonly started: number
  /** Told once, when the tape cannot be written any more. */
  readonly onProblem?: (message: string) => void
  /** For how many milliseconds lines are gathered before they are written together; by default each is at once. */
  readonly gather?: number
}

/** Makes a tape: a folder for nobody else to read, with a header. Throws a `TapeError` if that cannot be done. */
export function createTape({ folder, header, started, onProblem = ignore, gather }: NewTape): TapeWriter {
  const file = join(folder, TAPE_FILE)
  // Milliseconds are all that the header keeps; the first line counts from there.
  const at = Math.floor(started / 1000) * 1000
  const full: TapeHeader = { tape: TAPE_VERSION, ...header, started: new Date(at / 1000).toISOString() }
  return attempt(file, () => {
    makeFolder(folder)
    chmodSync(folder, 0o700)
    if (!lockTape(folder)) throw new Error('another process writes this tape')
    return keepingLock(folder, () => {
      const descriptor = openSync(file, 'ax', 0o600)
      const bytes = Buffer.from(`${JSON.stringify(full)}\n`, 'utf8')
      if (writeSync(descriptor, bytes) !== bytes.length) throw new Error('the header could not be written')
      const position = { size: bytes.length, line: 0, exchange: 0, at }
      return new TapeWriter({ folder, descriptor, onProblem, gather, ...position })
    })
  })
}

/** A tape to go on with. */
export interface OldTape {
  readonly folder: string
  /** Told once, when the tape cannot be written any more. */
  readonly onProblem?: (message: string) => void
  /** As for a new tape. */
  readonly gather?: number
}

/**
 * Opens a tape to go on with it: a torn last line is cut off, numbers and times go on. Undefined if another process
 * writes it; a `TapeError` if it cannot be opened.
 */
export function reopenTape({ folder, onProblem = ignore, gather }: OldTape): TapeWriter | undefined {
  const file = join(folder, TAPE_FILE)
  return attempt(file, () => {
    if (!lockTape(folder)) return undefined
    return keepingLock(folder, () => {
      const content = readFileSync(file)
      const size = content.lastIndexOf('\n') + 1
      const position = positionIn(content.toString('latin1', 0, size))
      const descriptor = openSync(file, 'a', 0o600)
      if (fstatSync(descriptor).size > size) cutTo(descriptor, size)
      return new TapeWriter({ folder, descriptor, size, onProblem, gather, ...position })
    })
  })
}

function cutTo(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size)
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

/** The last numbers and the time of the last line of a tape, of whose lines only the beginnings are looked at. */
function positionIn(text: string): { line: number; exchange: number; at: number } {
  const [first = ''] = text.split('\n', 1)
  const { started } = JSON.parse(first) as Partial<TapeHeader>
  let at = Date.parse(String(started)) * 1000
  if (Number.isNaN(at)) throw new Error('the header does not say when the recording began')
  let line = 0
  let exchange = 0
  for (const [, number, time, of] of text.matchAll(/^\[(\d+),(-?\d+),(\d+),/gm)) {
    line = Number(number)
    at += Number(time)
    exchange = Math.max(exchange, Number(of))
  }
  return { line, exchange, at }
}

function keepingLock<Result>(folder: string, open: () => Result): Result {
  try {
    return open()
  } catch (thrown) {
    unlockTape(folder)
    throw thrown
  }
}

function attempt<Result>(file: string, act: () => Result): Result {
  try {
    return act()
  } catch (thrown) {
    throw new TapeError({ file, reason: `cannot be recorded: ${reasonOf(thrown)}`, cause: thrown })
  }
}

function ignore(): void {}
