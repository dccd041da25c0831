import { createHash } from 'node:crypto'
import type { ByteLeg } from '../write/exchange-writer.ts'
import type { Tape, TapedExchange, TapeProblem } from '../format/tape.ts'

/** What is wrong with a tape: everything the reader found, hashes that do not fit, and an order that makes no sense. */
export function verifyTape(tape: Tape): readonly TapeProblem[] {
  const problems = [...tape.problems, ...tape.exchanges.flatMap(verifyExchange)]
  const unique = new Map(problems.map((problem) => [`${problem.line} ${problem.reason}`, problem]))
  return [...unique.values()].toSorted((a, b) => a.line - b.line)
}

/** Legs whose bytes are not those that were recorded, by the hashes at the end of an exchange. */
export function verifyHashes(exchange: TapedExchange): readonly TapeProblem[] {
  const { end, number } = exchange
  if (end === undefined) return []
  const line = exchange.moments.findLast(({ leg, event }) => leg === '' && event[4] === 'end')?.line ?? 0
  return LEGS.flatMap((leg) => {
    const hash = hashOf(bytesOf(exchange, leg))
    if (hash === end.hashes[leg]) return []
    return [{ line, reason: `exchange ${number}: ${mismatch(leg, hash, end.hashes[leg])}` }]
  })
}

const LEGS: readonly ByteLeg[] = ['c>', '>u', 'u>', '>c']

function mismatch(leg: ByteLeg, hash: string | undefined, recorded: string | undefined): string {
  if (recorded === undefined) return `the leg ${leg} has bytes, but the end has no hash of it`
  if (hash === undefined) return `the leg ${leg} has no bytes, but the end has a hash of it`
  return `the bytes of the leg ${leg} are not those that were recorded: they were edited or are incomplete`
}

function* bytesOf({ request, calls, answer }: TapedExchange, leg: ByteLeg): Generator<Uint8Array> {
  if (leg === 'c>' && request !== undefined) yield request.body
  if (leg === '>c') for (const { bytes } of answer.chunks) yield bytes
  for (const call of calls) {
    if (leg === '>u') yield call.request.body
    if (leg === 'u>') for (const { bytes } of call.answer.chunks) yield bytes
  }
}

/** A leg without bytes has no hash. */
function hashOf(pieces: Iterable<Uint8Array>): string | undefined {
  const hash = createHash('sha256')
  let size = 0
  for (const bytes of pieces) {
    hash.update(bytes)
    size += bytes.length
  }
  return size === 0 ? undefined : hash.digest('hex')
}

function verifyExchange(exchange: TapedExchange): readonly TapeProblem[] {
  const { number, request, moments } = exchange
  const problems: TapeProblem[] = [...verifyHashes(exchange)]
  const [first] = moments
  if (request === undefined && !isOverUnread(exchange)) {
    problems.push({ line: first?.line ?? 0, reason: `exchange ${number} has no request of the client` })
  }
  moments.forEach(({ at, line }, index) => {
    const before = moments[index - 1]
    if (before !== undefined && at < before.at) {
      problems.push({
        line,
        reason: `exchange ${number} goes back in time by ${before.at - at} microseconds`,
      })
    }
  })
  return problems
}

/** Whether an exchange was refused, or given up by its client, before its request was read. */
function isOverUnread({ calls, answer: { status } }: TapedExchange): boolean {
  return calls.length === 0 && (status === undefined || status >= 400)
}
