import { type Buffer, isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { reasonOf, TapeError } from '../format/tape-error.ts'

/** Larger files are not read. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024

/** Longer lines are skipped. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

/** Lines behind these are not read. */
const MAX_LINES = 5_000_000

/** A line of a file with its number, from 1. */
export interface NumberedLine {
  readonly line: number
  readonly text: string
}

/** The lines of a file that can be looked at; what is wrong with the others is reported. */
export function* linesOf(
  file: string,
  tell: (line: number, reason: string) => void,
): Generator<NumberedLine> {
  const content = contentOf(file)
  let start = 0
  for (let line = 1; start < content.length; line += 1) {
    if (line > MAX_LINES) {
      tell(line, `there are more than ${MAX_LINES} lines; the rest is not read`)
      return
    }
    const feed = content.indexOf(10, start)
    const bytes = content.subarray(start, feed < 0 ? content.length : feed)
    const fault = feed < 0 ? 'the line is torn: it has no end; it is cut off' : faultOf(bytes)
    if (fault === undefined) yield { line, text: bytes.toString('utf8') }
    else tell(line, fault)
    start = feed < 0 ? content.length : feed + 1
  }
}

function faultOf(bytes: Buffer): string | undefined {
  if (bytes.length > MAX_LINE_BYTES) return `the line is longer than ${MAX_LINE_BYTES} bytes; it is skipped`
  return isUtf8(bytes) ? undefined : 'the line is not UTF-8; it is skipped'
}

function contentOf(file: string): Buffer {
  try {
    const { size } = statSync(file)
    if (size > MAX_FILE_BYTES) throw new Error(`the file is larger than ${MAX_FILE_BYTES} bytes`)
    return readFileSync(file)
  } catch (thrown) {
    throw new TapeError({ file, reason: `cannot be read: ${reasonOf(thrown)}`, cause: thrown })
  }
}
