import { isJsonObject } from '@hydra/core'
import { quotedWord } from '@hydra/cli'
import type { Memory } from '@hydra/core'
import {
  firstDifference,
  FRESH_NAME,
  type Replay,
  replayExchange,
  shortenPair,
  type TapedExchange,
} from '@hydra/tape'
import { compareAnswers, compareBeginnings, describeDifference } from '../compare/compare-answers.ts'
import { asTapedAnswer } from './as-taped-answer.ts'
import { diffAnswers } from './diff-answers.ts'
import { goldenName, readGolden, removeGolden, writeGolden } from './goldens.ts'
import type { ExchangeResult, Finding } from './regress-result.ts'

/** A tape's expected answers, and whether they may be rewritten. */
export interface Expectations {
  readonly folder: string
  readonly goldens: ReadonlyMap<number, readonly string[]>
  readonly update: boolean
  /** What this program is called where it was started. */
  readonly program: string
  /** Told of each expected answer that was written or removed. */
  readonly onUpdate: (name: string) => void
}

/** Replays one exchange in memory and compares both legs. */
export function checkExchange(
  exchange: TapedExchange,
  expectations: Expectations,
  memory: Memory,
): ExchangeResult {
  const { number } = exchange
  const replay = replayExchange(exchange, memory)
  if ('reason' in replay) return skipped(exchange, replay.reason, expectations)
  const requests = checkRequests(exchange, replay)
  const answer = expectations.update
    ? updateAnswer(exchange, replay, expectations)
    : checkAnswer(exchange, replay, expectations)
  const findings = [...requests, ...answer.findings]
  const outcome = findings.length > 0 ? 'different' : answer.isUpdated ? 'updated' : 'same'
  const remark = answer.isUpdated ? remarkOn(exchange, replay) : undefined
  return { number, through: 'core', outcome, findings, ...(remark !== undefined && { remark }) }
}

/** When a new answer becomes the expected one, it is reported where it differs from what the client got then. */
function remarkOn({ answer: recorded }: TapedExchange, { answer }: Replay): string | undefined {
  if (recorded.status === undefined) return undefined
  const { headers, ended } = recorded
  const now = { ...asTapedAnswer(answer), headers, ended }
  const compare = answer.ended === 'open' ? compareBeginnings : compareAnswers
  const difference = compare(recorded, now)
  if (difference === undefined) return undefined
  return `what is expected now is not what the client got when it was recorded: ${describeDifference(difference)}`
}

/** What cannot be replayed cannot be expected to be anything. */
function skipped({ number }: TapedExchange, reason: string, { goldens }: Expectations): ExchangeResult {
  const result = { number, through: 'core', reason } as const
  const names = goldens.get(number)
  if (names === undefined) return { ...result, outcome: 'skipped', findings: [] }
  const message = `${names.join(', ')} cannot be checked: ${reason}`
  return { ...result, outcome: 'different', findings: [{ about: 'golden', message }] }
}

/** Compares what is sent to the upstream with what was sent, as JSON. */
function checkRequests({ calls }: TapedExchange, { upstreamRequests }: Replay): Finding[] {
  return calls.flatMap(({ request }, index): Finding[] => {
    const call = calls.length > 1 ? `call ${index + 1}: ` : ''
    const recorded = parse(Buffer.from(request.body).toString())
    // What goes out is what JSON keeps of the body: a field that is undefined is not sent.
    const now = parse(JSON.stringify(upstreamRequests[index] ?? null))
    const difference = firstDifference(recorded, withRecordedNames(now, recorded))
    if (difference === undefined) return []
    const { expected, actual } = shortenPair(difference.expected, difference.actual)
    const where = difference.path === '' ? 'the body' : difference.path
    return [
      {
        about: 'request',
        message: `${call}the upstream is sent something else at ${where}: expected ${expected}, now ${actual}`,
      },
    ]
  })
}

/** Some requests carry a name that is new each time, which no replay can know: whatever was recorded is right. */
function withRecordedNames(now: unknown, recorded: unknown): unknown {
  if (now === FRESH_NAME && typeof recorded === 'string') return recorded
  if (Array.isArray(now)) {
    const items: readonly unknown[] = Array.isArray(recorded) ? recorded : []
    return now.map((item: unknown, index) => withRecordedNames(item, items[index]))
  }
  if (!isJsonObject(now)) return now
  const fields = isJsonObject(recorded) ? recorded : {}
  return Object.fromEntries(
    Object.entries(now).map(([name, value]) => [name, withRecordedNames(value, fields[name])]),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

interface CheckedAnswer {
  readonly findings: readonly Finding[]
  readonly isUpdated: boolean
}

function checkAnswer(exchange: TapedExchange, { answer }: Replay, expectations: Expectations): CheckedAnswer {
  const { number } = exchange
  const { folder, goldens, program } = expectations
  const name = goldenName(exchange, answer)
  const others = (goldens.get(number) ?? []).filter((other) => other !== name)
  const golden = readGolden(folder, name)
  const findings: Finding[] = []
  if (others.length > 0) {
    const message = `${others.join(', ')}: expected an answer of this kind, now it is ${name}`
    const [other = ''] = others
    findings.push({
      about: 'answer',
      message,
      diff: diffAnswers(readGolden(folder, other) ?? EMPTY, answer.bytes),
    })
  } else if (golden === undefined) {
    const message = `there is no expect/${name}; ${program} regress --update ${quotedWord(folder)} writes it, then read it`
    findings.push({ about: 'golden', message })
  }
  if (golden !== undefined && !golden.equals(answer.bytes)) {
    const message = `the answer is not expect/${name}`
    findings.push({ about: 'answer', message, diff: diffAnswers(golden, answer.bytes) })
  }
  return { findings, isUpdated: false }
}

const EMPTY = new Uint8Array()

/** Rewrites only what changed, so that a date or a commit says that it did. */
function updateAnswer(
  exchange: TapedExchange,
  { answer }: Replay,
  expectations: Expectations,
): CheckedAnswer {
  const { number } = exchange
  const { folder, goldens, onUpdate } = expectations
  const name = goldenName(exchange, answer)
  const stale = (goldens.get(number) ?? []).filter((other) => other !== name)
  for (const other of stale) {
    removeGolden(folder, other)
    onUpdate(other)
  }
  if (readGolden(folder, name)?.equals(answer.bytes) === true) {
    return { findings: [], isUpdated: stale.length > 0 }
  }
  writeGolden(folder, name, answer.bytes)
  onUpdate(name)
  return { findings: [], isUpdated: true }
}
