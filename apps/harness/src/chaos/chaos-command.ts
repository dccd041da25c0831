import { basename, join } from 'node:path'
import {
  parseArguments,
  programName,
  UsageError,
  visibleJson,
  visibleLine,
  wholeNumber,
  workingFolder,
} from '@hydra/cli'
import { readTape, type Tape, TAPE_FILE, TapeError, type TapeProblem } from '@hydra/tape'
import { problemWords } from '../cli/open-tape.ts'
import { progressLine } from '../cli/progress-line.ts'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { tapeFolders } from '../regress/tape-folders.ts'
import { writeJunit } from '../verdict/junit.ts'
import { caseLimit } from './case-limit.ts'
import { chaos, type ChaosOptions, type ChaosResult } from './chaos.ts'
import { namedCases } from './named-cases.ts'
import {
  chaosReport,
  chaosVerdict,
  describeAll,
  describeChaos,
  type Described,
  repeatCommand,
} from './describe-chaos.ts'

const HELP = `hydra-tape chaos TAPES...: break every recorded answer on purpose

Whatever is done to an answer, nothing may throw, the client gets a legal stream with one end or one error, a
clean end only where the upstream has finished, and of a broken answer its beginning and one error. An error of the
upstream stays a legal error. What is passed on unchanged is broken over sockets only: the client gets its beginning
and a broken connection. An exchange without an answer of an upstream is left alone, and it is said why.

Options
  --seed N      draws the same cases again; without it, one is drawn and printed
  --cases WHAT  all (the default), or some of, with commas between them:
                cut      the body ends after each byte
                reset    the connection breaks after each byte
                stall    silence after each event
                split    the body in two pieces, at each byte
                pieces   single bytes, and random pieces
                mutate   one byte of an event deleted, doubled or changed
                disorder events dropped, doubled and swapped
                sockets  a sample of cuts and resets through a real gateway
  --runs N      how many mutated answers of each tape, default 10000
  --sockets N   how many broken connections for each tape, default 20
  --limit N     the most cases of one kind for one answer, default 50000, at least 4; beyond that they are drawn
  --exchange N, --call N, --offset N   only this exchange, this call of it, this case
  --junit FILE  also writes a JUnit report
  --json        prints the result as JSON
  -h, --help    this text

Exit codes
  0  everything was borne
  1  something was not: the seed, the smallest offset and a command that repeats it are printed; or a tape is damaged
  2  what was typed makes no sense, or nothing was checked

Examples
  hydra-tape chaos fixtures/tapes/claude-code-one-tool --seed 7
  hydra-tape chaos fixtures/tapes/claude-code-text --seed 7 --cases cut --exchange 1 --offset 812
`

/** Breaks the answers of tapes and looks at what the client gets. */
export const chaosCommand: Command = {
  name: 'chaos',
  summary: 'break the answers of a tape in every way and look at what the client gets',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, {
      command: 'hydra-tape chaos',
      options: {
        seed: { type: 'string' },
        cases: { type: 'string' },
        runs: { type: 'string' },
        sockets: { type: 'string' },
        limit: { type: 'string' },
        exchange: { type: 'string' },
        call: { type: 'string' },
        offset: { type: 'string' },
        junit: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    if (positionals.length === 0) throw new UsageError('which tape? see hydra-tape chaos --help')
    const program = programName(surroundings.env)
    const { seed, options } = optionsOf(values, surroundings)
    const results: ChaosResult[] = []
    const folders = tapeFolders(positionals, workingFolder(surroundings.env))
    for (const folder of folders) {
      // oxlint-disable-next-line no-await-in-loop -- one tape after the other
      const result = await breakTape(folder, options, surroundings)
      results.push(result)
      if (values.json !== true) surroundings.out(describeChaos(result, { seed, program }))
    }
    if (values.json === true) surroundings.out(`${visibleJson(forMachines(results, { seed, program }))}\n`)
    refuseIdleRun(results)
    if (values.json !== true) surroundings.out(describeAll(results))
    writeJunit(values.junit, () => chaosReport(results), surroundings)
    return chaosVerdict(results).passed ? EXIT.ok : EXIT.found
  },
}

type Typed = Readonly<Partial<Record<'seed' | 'cases' | 'runs' | 'sockets' | 'limit' | Only, string>>>
type Only = 'exchange' | 'call' | 'offset'

function optionsOf(
  values: Typed,
  { signal }: Surroundings,
): { readonly seed: number; readonly options: ChaosOptions } {
  const only = (name: Only): number | undefined =>
    values[name] === undefined ? undefined : wholeNumber(name, values[name], 0)
  const seed = wholeNumber('seed', values.seed, Math.floor(Math.random() * 1_000_000))
  const options = {
    seed,
    cases: namedCases(values.cases),
    runs: wholeNumber('runs', values.runs, 10_000),
    sockets: wholeNumber('sockets', values.sockets, 20),
    limit: caseLimit(values.limit, 50_000),
    exchange: only('exchange'),
    call: only('call'),
    offset: only('offset'),
    signal,
  }
  return { seed, options }
}

/** A tape that cannot be read is a finding, and does not take with it what was found on the others. */
async function breakTape(
  folder: string,
  options: ChaosOptions,
  surroundings: Surroundings,
): Promise<ChaosResult> {
  const tape = openTape(folder)
  if ('reason' in tape) return unreadable(folder, tape)
  const progress = progressLine(surroundings)
  const result = await chaos(tape, {
    ...options,
    onProgress({ exchange, name, done, total }) {
      progress.show(visibleLine(`${basename(folder)} ${exchange}: ${name} ${done} of ${total}`))
    },
  })
  progress.clear()
  return result
}

function openTape(folder: string): Tape | TapeProblem {
  try {
    return readTape(folder)
  } catch (error) {
    if (!(error instanceof TapeError)) throw error
    return { line: error.line, reason: `cannot be read: ${error.reason}` }
  }
}

function unreadable(folder: string, problem: TapeProblem): ChaosResult {
  const nothing = { answers: 0, leftOut: [], checked: {}, sampled: [], failures: [], isInterrupted: false }
  return { folder, ok: false, problems: [problem], ...nothing }
}

/** A run in which nothing was looked at proves nothing. */
function refuseIdleRun(results: readonly ChaosResult[]): void {
  if (results.some(({ checked, isInterrupted }) => isInterrupted || Object.keys(checked).length > 0)) return
  const reasons = results.flatMap(({ folder, problems }) =>
    problems.map((problem) => `${join(folder, TAPE_FILE)}: ${problemWords(problem)}`),
  )
  const reason = visibleLine(reasons.join('; ')) || 'there is no such case'
  throw new UsageError(`${reason}: nothing was checked`)
}

function forMachines(results: readonly ChaosResult[], { seed, program }: Required<Described>): object {
  const tapes = results.map((result) => ({
    ...result,
    failures: result.failures.map((failure) => ({
      ...failure,
      command: `${program} ${repeatCommand(result.folder, failure)}`,
    })),
  }))
  return { verdict: chaosVerdict(results), ok: results.every(({ ok }) => ok), seed, tapes }
}
