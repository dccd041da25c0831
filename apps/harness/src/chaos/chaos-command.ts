import { basename } from 'node:path'
import { openTape } from '../cli/open-tape.ts'
import { parseArguments, wholeNumber } from '../cli/parse-arguments.ts'
import { progressLine } from '../cli/progress-line.ts'
import { programName } from '../cli/program-name.ts'
import { workingFolder } from '../cli/working-folder.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { tapeFolders } from '../regress/tape-folders.ts'
import { chaos, type ChaosOptions, type ChaosResult } from './chaos.ts'
import { namedCases } from './named-cases.ts'
import { describeChaos, type Described, repeatCommand } from './describe-chaos.ts'

const HELP = `hydra-tape chaos TAPES...: break every recorded answer on purpose

Whatever is done to an answer, nothing may throw, the client gets a legal stream with one end or one error, a
clean end only where the upstream has finished, and of a broken answer its beginning and one error.

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
  --limit N     the most cases of one kind for one answer, default 50000; beyond that they are drawn
  --exchange N, --call N, --offset N   only this exchange, this call of it, this case
  --json        prints the result as JSON
  -h, --help    this text

Exit codes
  0  everything was borne
  1  something was not: the seed, the smallest offset and a command that repeats it are printed
  2  what was typed makes no sense

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
    const { values, positionals } = parseArguments('chaos', args, {
      seed: { type: 'string' },
      cases: { type: 'string' },
      runs: { type: 'string' },
      sockets: { type: 'string' },
      limit: { type: 'string' },
      exchange: { type: 'string' },
      call: { type: 'string' },
      offset: { type: 'string' },
      json: { type: 'boolean' },
    })
    if (positionals.length === 0) throw new UsageError('which tape? see hydra-tape chaos --help')
    const only = (name: 'exchange' | 'call' | 'offset'): number | undefined =>
      values[name] === undefined ? undefined : wholeNumber(name, values[name], 0)
    const program = programName(surroundings.env)
    const progress = progressLine(surroundings)
    const options: ChaosOptions = {
      seed: wholeNumber('seed', values.seed, Math.floor(Math.random() * 1_000_000)),
      cases: namedCases(values.cases),
      runs: wholeNumber('runs', values.runs, 10_000),
      sockets: wholeNumber('sockets', values.sockets, 20),
      limit: Math.max(4, wholeNumber('limit', values.limit, 50_000)),
      exchange: only('exchange'),
      call: only('call'),
      offset: only('offset'),
      signal: surroundings.signal,
    }
    const results: ChaosResult[] = []
    for (const folder of tapeFolders(positionals, workingFolder(surroundings.env))) {
      const tape = openTape(folder)
      // oxlint-disable-next-line no-await-in-loop -- one tape after the other
      const result = await chaos(tape, {
        ...options,
        onProgress({ exchange, name, done, total }) {
          progress.show(`${basename(folder)} ${exchange}: ${name} ${done} of ${total}`)
        },
      })
      progress.clear()
      results.push(result)
      if (values.json !== true) surroundings.out(describeChaos(result, { seed: options.seed, program }))
    }
    if (values.json === true)
      surroundings.out(`${JSON.stringify(forMachines(results, { seed: options.seed, program }), null, 2)}\n`)
    if (results.every(({ checked }) => Object.keys(checked).length === 0)) {
      throw new UsageError('there is no such case: nothing was checked')
    }
    return results.every(({ ok, isInterrupted }) => ok && !isInterrupted) ? EXIT.ok : EXIT.found
  },
}

function forMachines(results: readonly ChaosResult[], { seed, program }: Required<Described>): object {
  const tapes = results.map((result) => ({
    ...result,
    failures: result.failures.map((failure) => ({
      ...failure,
      command: `${program} ${repeatCommand(result.folder, failure)}`,
    })),
  }))
  return { ok: results.every(({ ok }) => ok), seed, tapes }
}
