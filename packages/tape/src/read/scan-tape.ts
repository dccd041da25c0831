import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { TAPE_FILE, type TapedBytes, type TapedPiece } from '../format/lines.ts'
import type { TapedExchange } from '../format/tape.ts'
import { reasonOf, TapeError } from '../format/tape-error.ts'
import type { MarkKind } from '../redact/marks.ts'
import type { Piece } from '../redact/piece.ts'
import type { Redaction } from '../redact/redaction.ts'
import { toBytes } from '../redact/spellings.ts'
import { readTape } from './read-tape.ts'

/** A secret that should not be there. What it is is not said. */
export interface SecretFinding {
  /** The file, from the folder of the tape. */
  readonly file: string
  /** The line of the file, from 1. */
  readonly line: number
  /** The byte of the line that it begins at, from 0; undefined if it shows only when pieces are put together. */
  readonly offset: number | undefined
  readonly kind: 'key' | 'e-mail address' | 'home directory' | 'spread over several chunks'
}

const KINDS: Readonly<Record<MarkKind, SecretFinding['kind']>> = {
  K: 'key',
  E: 'e-mail address',
  H: 'home directory',
}

/** Larger files are no part of a tape. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024

/** All secrets in a text. */
export function scanText(text: string, redaction: Redaction): readonly Omit<SecretFinding, 'file'>[] {
  return findIn('', toBytes(text), redaction).map(({ line, offset, kind }) => ({ line, offset, kind }))
}

/** All secrets in the files of a tape, and those that are cut into several lines or pieces of it, or are base64. */
export function scanTape(folder: string, redaction: Redaction): readonly SecretFinding[] {
  const findings: SecretFinding[] = []
  for (const path of filesIn(folder)) {
    const file = relative(folder, path)
    findings.push(...findIn(file, contentOf(path), redaction))
    if (file === TAPE_FILE) findings.push(...findInTape(folder, redaction, findings))
  }
  return findings
}

function findIn(file: string, text: string, redaction: Redaction): readonly SecretFinding[] {
  let line = 1
  let start = 0
  return redaction.finder.find(text).map((secret) => {
    for (let feed = text.indexOf('\n', start); feed >= 0 && feed < secret.start;) {
      line += 1
      start = feed + 1
      feed = text.indexOf('\n', start)
    }
    return { file, line, offset: secret.start - start, kind: KINDS[secret.kind] }
  })
}

/** What was not found in the files by themselves. */
function findInTape(
  folder: string,
  redaction: Redaction,
  known: readonly SecretFinding[],
): readonly SecretFinding[] {
  const { exchanges } = readTape(folder)
  const reported = new Set(known.filter(({ file }) => file === TAPE_FILE).map(({ line }) => line))
  const files = new Set(known.map(({ file }) => basename(file)))
  return exchanges
    .flatMap((exchange) =>
      findInRequests(exchange, redaction, files).concat(
        findInLeg(exchange, 'u>', redaction),
        findInLeg(exchange, '>c', redaction),
      ),
    )
    .filter(({ line }) => !reported.has(line))
    .toSorted((one, other) => one.line - other.line)
}

/** A body may be base64, or be cut within a secret. One with a blob that was reported already is not reported again. */
function findInRequests(
  { request, calls, moments }: TapedExchange,
  redaction: Redaction,
  files: ReadonlySet<string>,
): readonly SecretFinding[] {
  const bodies = { 'c>': [request?.body], '>u': calls.map((call) => call.request.body) }
  return moments.flatMap(({ leg, line, event }) => {
    if (event[4] !== 'req' || (leg !== 'c>' && leg !== '>u')) return []
    const body = bodies[leg].shift()
    const isReported = blobsOf(event[5].body).some((name) => files.has(name))
    const [secret] = body === undefined || isReported ? [] : redaction.finder.find(latin1(body))
    return secret === undefined
      ? []
      : [{ file: TAPE_FILE, line, offset: undefined, kind: KINDS[secret.kind] }]
  })
}

function blobsOf(body: TapedBytes | undefined): readonly string[] {
  const pieces = Array.isArray(body) ? (body as readonly TapedPiece[]) : []
  return pieces.flatMap((piece) => (typeof piece === 'object' && 'blob' in piece ? [piece.blob] : []))
}

/** What is cut between two chunks or two events shows only when they are put together. */
function findInLeg(
  exchange: TapedExchange,
  leg: 'u>' | '>c',
  redaction: Redaction,
): readonly SecretFinding[] {
  return linesWithSecrets(exchange, leg, redaction).map((line) => ({
    file: TAPE_FILE,
    line,
    offset: undefined,
    kind: 'spread over several chunks',
  }))
}

function linesWithSecrets(
  exchange: TapedExchange,
  leg: 'u>' | '>c',
  redaction: Redaction,
): readonly number[] {
  const answers = leg === '>c' ? [exchange.answer] : exchange.calls.map(({ answer }) => answer)
  const lines = exchange.moments.filter(({ leg: of, event }) => of === leg && event[4] === 'd')
  const pieces: Piece[] = []
  const rules = redaction.forTape()
  for (const { chunks } of answers) {
    const stream = rules.stream()
    for (const { bytes } of chunks) pieces.push(stream.push(latin1(bytes)))
    stream.end()
  }
  return pieces.flatMap((piece, index) => {
    const line = lines[index]?.line
    return piece.isCovered && line !== undefined ? [line] : []
  })
}

/** One character per byte, as the rules want it. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

function contentOf(file: string): string {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`)
    return readFileSync(file, 'latin1')
  } catch (thrown) {
    throw new TapeError({ file, reason: `cannot be searched: ${reasonOf(thrown)}`, cause: thrown })
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
  } catch (thrown) {
    throw new TapeError({ file: folder, reason: `cannot be searched: ${reasonOf(thrown)}`, cause: thrown })
  }
}
