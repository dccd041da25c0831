import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TAPE_FILE, type TapeHeader } from '../format/lines.ts'
import { openLocked } from './open-locked.ts'
import { TapeWriter } from './tape-writer.ts'

/** To append to a file that is there, and not to what a link in its place leads to. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)

/** A tape to go on with. */
export interface OldTape {
  readonly folder: string
  /** Called once, when the tape cannot be written any more. */
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
  return openLocked({ folder }, () => {
    const content = readFileSync(file)
    const size = content.lastIndexOf('\n') + 1
    const position = positionIn(content.toString('latin1', 0, size))
    const descriptor = openSync(file, APPEND)
    if (fstatSync(descriptor).size > size) cutTo(descriptor, size)
    return new TapeWriter({ folder, descriptor, size, onProblem, gather, ...position })
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

function ignore(): void {}
