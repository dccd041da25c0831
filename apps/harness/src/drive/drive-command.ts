import { parseArguments, visibleJson, visibleLine, visibleText, wholeNumber } from '@hydra/cli'
import type { Tape } from '@hydra/tape'
import { progressLine } from '../cli/progress-line.ts'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { describeDifference } from '../compare/compare-answers.ts'
import { openOnlyTape } from '../serve/open-only-tape.ts'
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
        json: { type: 'boolean' },
      },
    })
    const target = targetOf(values.to, { mayBeRemote: values.remote === true })
    const tape = openOnlyTape('drive', { paths: positionals, env: surroundings.env })
    const result = await drive(tape, {
      target,
      headers: keyOf(surroundings),
      patience: wholeNumber('patience', values.patience, 120) * 1000,
      signal: surroundings.signal,
      onExchange: reporterOf(tape, values.json === true, surroundings),
    })
    if (values.json === true) surroundings.out(`${visibleJson({ ...result, problems: tape.problems })}\n`)
    else surroundings.out(describeResult(result, tape))
    return isSame(result, tape) ? EXIT.ok : EXIT.found
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
  const told = reason === undefined ? '' : ` (${reason})`
  if (difference === undefined) return `exchange ${number}: ${outcome}${told}`
  return `exchange ${number}: ${outcome}${told} at ${describeDifference(difference)}`
}

function describeResult({ exchanges, isInterrupted }: DriveResult, { folder, problems }: Tape): string {
  const count = (outcome: DrivenExchange['outcome']): number =>
    exchanges.filter((exchange) => exchange.outcome === outcome).length
  const damage = problems.map(({ line, reason }) => `${visibleLine(`${folder}, line ${line}: ${reason}`)}\n`)
  const counts = `${count('same')} the same, ${count('different')} different, ${count('skipped')} skipped`
  return `${damage.join('')}${counts}${isInterrupted ? '; interrupted' : ''}\n`
}

/** A tape of which nothing was sent, or one that cannot be read to its end, proves nothing. */
function isSame({ exchanges, isInterrupted }: DriveResult, { problems }: Tape): boolean {
  const isWhole = problems.length === 0 && !isInterrupted
  const outcomes = new Set(exchanges.map(({ outcome }) => outcome))
  return isWhole && outcomes.has('same') && !outcomes.has('different')
}
