import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { TAPE_FILE, TAPE_VERSION, type TapeHeader, type TapeLine } from '../format/lines.ts'
import type { Tape, TapeProblem } from '../format/tape.ts'
import { TapeError } from '../format/tape-error.ts'
import { BlobReader } from './blob-reader.ts'
import { ExchangeReader } from './exchange-reader.ts'
import { LikeLineReader } from './like-line-reader.ts'
import { parseHeader, parseLine } from './parse-line.ts'
import { linesOf, type NumberedLine } from './tape-lines.ts'
import { verifyHashes } from './verify-tape.ts'

/** More problems than are read; a hostile tape must not fill the memory with them. */
const MAX_PROBLEMS = 1000

/**
 * Reads a tape, by its folder or its file. What cannot be read becomes a problem with line and reason; a `TapeError` is
 * thrown only if nothing can be read.
 */
export function readTape(path: string): Tape {
  const folder = basename(path) === TAPE_FILE && isFile(path) ? dirname(path) : path
  return new TapeReader(folder).read()
}

class TapeReader {
  readonly #folder: string
  readonly #file: string
  readonly #problems: TapeProblem[] = []
  readonly #exchanges = new Map<number, ExchangeReader>()
  readonly #blobs: BlobReader
  readonly #frames = new LikeLineReader()
  #header: TapeHeader | undefined
  #isFirst = true
  #number = 0
  #at = 0
  #understood = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#file = join(folder, TAPE_FILE)
    this.#blobs = new BlobReader(folder)
  }

  read(): Tape {
    for (const line of linesOf(this.#file, this.#tell)) this.#take(line)
    if (this.#header === undefined && this.#understood === 0) throw this.#nothing()
    if (this.#header === undefined) this.#tell(1, 'the header is missing; the tape is read without it')
    const exchanges = [...this.#exchanges.values()]
      .map(({ exchange }) => exchange)
      .toSorted((a, b) => a.number - b.number)
    for (const exchange of exchanges) {
      for (const { line, reason } of verifyHashes(exchange)) this.#tell(line, reason)
    }
    const problems = this.#problems.toSorted((a, b) => a.line - b.line)
    return { folder: this.#folder, header: this.#header ?? UNKNOWN_HEADER, exchanges, problems }
  }

  #take({ line, text }: NumberedLine): void {
    // A header that cannot be read leaves a line that is none, and the events behind it are still there.
    const isHeader = this.#isFirst && line === 1 && !text.startsWith('[')
    this.#isFirst = false
    if (isHeader) return this.#takeHeader(line, text)
    const read = parseLine(text)
    const parsed = 'framed' in read ? this.#frames.read(read.framed) : read
    if ('fault' in parsed) return this.#tell(line, `${parsed.fault}; the line is skipped`)
    this.#takeEvent(line, parsed.event)
  }

  #takeHeader(line: number, text: string): void {
    const parsed = parseHeader(text)
    if ('header' in parsed) this.#header = parsed.header
    else if (parsed.isOtherVersion === true) throw this.#error(line, parsed.fault)
    else this.#tell(line, `${parsed.fault}; the header is skipped`)
  }

  #takeEvent(line: number, event: TapeLine): void {
    const [number, time, exchange] = event
    if (number !== this.#number + 1) {
      this.#tell(
        line,
        `expected the line number ${this.#number + 1}, got ${number}: ${gap(number, this.#number)}`,
      )
    }
    this.#number = number
    this.#at += time
    this.#understood += 1
    this.#exchangeOf(exchange).take({ event, at: this.#at, line })
  }

  #exchangeOf(number: number): ExchangeReader {
    const known = this.#exchanges.get(number)
    if (known !== undefined) return known
    const reader = new ExchangeReader(number, this.#blobs, this.#tell)
    this.#exchanges.set(number, reader)
    return reader
  }

  readonly #tell = (line: number, reason: string): void => {
    if (this.#problems.length === MAX_PROBLEMS)
      this.#problems.push({ line, reason: 'there are more problems' })
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ line, reason })
  }

  #nothing(): TapeError {
    const [first] = this.#problems
    return this.#error(first?.line ?? 0, first?.reason ?? 'the file is empty')
  }

  #error(line: number, reason: string): TapeError {
    return new TapeError({ file: this.#file, line, reason })
  }
}

const UNKNOWN_HEADER: TapeHeader = {
  tape: TAPE_VERSION,
  tool: 'unknown',
  started: '1970-01-01T00:00:00.000Z',
  redaction: 'unknown',
}

function gap(number: number, last: number): string {
  return number > last ? 'lines are missing' : 'lines are out of order'
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
