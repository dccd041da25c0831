import { basename } from 'node:path'
import { parseArguments, UsageError, visibleJson, visibleLine, visibleText, wholeNumber } from '@hydra/cli'
import type { Tape } from '@hydra/tape'
import { progressLine } from '../cli/progress-line.ts'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { describeDifference } from '../compare/compare-answers.ts'
import { openOnlyTape } from '../serve/open-only-tape.ts'
import { junitReport, writeJunit } from '../verdict/junit.ts'
import { verdictLine } from '../verdict/verdict.ts'
import { drive, type DrivenExchange, type DriveResult } from './drive.ts'
import { targetOf } from './target.ts'

const HELP = `hydra-tape drive TAPE --to URL: send the recorded requests and compare what comes back

Sends what the recorded client sent, in its order: requests that overlapped overlap again, and a client that left
leaves again after as many bytes. The answers are compared event by event; the ids of messages and requests,
pings, the sizes of chunks and the words for a broken connection make no difference. A key for the other side is taken from HYDRA_KEY.

Options
  --to URL       where the requests go, such as http://127.0.0.1:3456
  --remote       allows a URL of another machine
  --patience N   how many seconds the other side may be silent, default 120
  --junit FILE   also writes a JUnit report
  --json         prints the result as JSON
  -h, --help     this text

Exit codes
  0  all answers are as recorded
  1  an answer is different, or it was interrupted
  2  what was typed makes no sense, or the tape cannot be read

Example
  hydra-tape serve fixtures/tapes/claude-code-one-tool --port 4000 &
  hydra serve --target-url http://127.0.0.1:4000/v1 --model gpt-test --port 3456 &
  hydra-tape drive fixtures/tapes/claude-code-one-tool --to http://127.0.0.1:3456
`

/** Is the client of a recorded session. */
export const driveCommand: Command = {
  name: 'drive',
  summary: 'be the client of a recorded session and compare the answers',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, {
      command: 'hydra-tape drive',
      options: {
        to: { type: 'string' },
        remote: { type: 'boolean' },
        patience: { type: 'string' },
        junit: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    if (values.to === undefined) {
      throw new UsageError('drive: expected --to URL; see hydra-tape drive --help')
    }
    const target = targetOf(values.to, { option: '--to', mayBeRemote: values.remote === true })
    const tape = openOnlyTape('drive', { paths: positionals, env: surroundings.env })
    const result = await drive(tape, {
      target,
      headers: keyOf(surroundings),
      patience: wholeNumber('patience', values.patience, 120) * 1000,
      signal: surroundings.signal,
      onExchange: reporterOf(tape, values.json === true, surroundings),
    })
    const verdict = { passed: isSame(result, tape), reason: countsOf(result) }
    surroundings.out(
      values.json === true
        ? `${visibleJson({ verdict, ...result, problems: tape.problems })}\n`
        : damageOf(tape) + verdictLine(verdict),
    )
    writeJunit(values.junit, () => reportOf(result, tape), surroundings)
    return verdict.passed ? EXIT.ok : EXIT.found
  },
}

function keyOf({ env }: Surroundings): Record<string, string> {
  const key = env['HYDRA_KEY']
  return key === undefined || key === '' ? {} : { 'x-api-key': key }
}

function reporterOf(
  tape: Tape,
  isJson: boolean,
  surroundings: Surroundings,
): (exchange: DrivenExchange) => void {
  const progress = progressLine(surroundings)
  const total = tape.exchanges.length
  let done = 0
  return (exchange) => {
    done += 1
    progress.clear()
    if (!isJson) surroundings.out(`${visibleText(describeExchange(exchange))}\n`)
    if (done < total) progress.show(`${done} of ${total} exchanges`)
  }
}

function describeExchange({ number, outcome, reason, difference }: DrivenExchange): string {
  const why = reason === undefined ? '' : ` (${reason})`
  if (difference === undefined) return `exchange ${number}: ${outcome}${why}`
  return `exchange ${number}: ${outcome}${why} at ${describeDifference(difference)}`
}

function damageOf({ folder, problems }: Tape): string {
  return problems.map(({ line, reason }) => `${visibleLine(`${folder}, line ${line}: ${reason}`)}\n`).join('')
}

function countsOf({ exchanges, isInterrupted }: DriveResult): string {
  const count = (outcome: DrivenExchange['outcome']): number =>
    exchanges.filter((exchange) => exchange.outcome === outcome).length
  const counts = `${count('same')} the same, ${count('different')} different, ${count('skipped')} skipped`
  return `${counts}${isInterrupted ? '; interrupted' : ''}`
}

function reportOf({ exchanges }: DriveResult, { folder }: Tape): string {
  const cases = exchanges.map((exchange) => {
    const { number, outcome, reason = '' } = exchange
    const name = `exchange ${number}`
    if (outcome === 'skipped') return { name, skipped: reason }
    const text = describeExchange(exchange)
    return { name, failure: outcome === 'same' ? undefined : { message: text, text } }
  })
  return junitReport('drive', [{ name: basename(folder), cases }])
}

/** A tape of which nothing was sent, or one that cannot be read to its end, proves nothing. */
function isSame({ exchanges, isInterrupted }: DriveResult, { problems }: Tape): boolean {
  const isWhole = problems.length === 0 && !isInterrupted
  const outcomes = new Set(exchanges.map(({ outcome }) => outcome))
  return isWhole && outcomes.has('same') && !outcomes.has('different')
}
