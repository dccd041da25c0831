import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  oneOf,
  parseArguments,
  typedPath,
  UsageError,
  visibleJson,
  visibleLine,
  visibleText,
  wholeNumber,
} from '@hydra/cli'
import { readTape } from '@hydra/tape'
import { openTape } from '../cli/open-tape.ts'
import { caseLimit } from '../chaos/case-limit.ts'
import { namedCases } from '../chaos/named-cases.ts'
import { problemWords } from '../cli/open-tape.ts'
import { progressLine } from '../cli/progress-line.ts'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { goldensIn, linkAmongGoldens, readGolden, writeGolden } from '../regress/goldens.ts'
import { chaosFailure, regressFailure } from './failure-checks.ts'
import { type FailureOf, shrink, type ShrunkTape } from './shrink.ts'
import { writeTape } from './write-tape.ts'

const HELP = `hydra-tape shrink TAPE --out DIR: the smallest tape that still fails

With --check regress it leaves out exchanges; their bytes and expected answers stay as they are. With --check chaos
it also leaves out events of the upstream, messages and tools, and writes both of our own legs anew.

Options
  --out DIR        the folder of the new tape; it must not exist or be empty
  --check WHAT     regress (the default) or chaos
  --seed N, --cases WHAT, --runs N, --limit N   as for chaos; here 500 runs and 2000 cases of a kind are usual
  --json           prints the result as JSON
  -h, --help       this text

Exit codes
  0  a smaller tape was written, and it fails in the same way
  1  the tape does not fail, so nothing was written; or it is damaged, and what is readable was taken
  2  what was typed makes no sense

Example
  hydra-tape shrink recorded/session --check chaos --seed 7 --cases cut --out /tmp/small
`

/** Finds the smallest tape that still fails. */
export const shrinkCommand: Command = {
  name: 'shrink',
  summary: 'find the smallest tape that still fails',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, {
      command: 'hydra-tape shrink',
      options: {
        out: { type: 'string' },
        check: { type: 'string' },
        seed: { type: 'string' },
        cases: { type: 'string' },
        runs: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    const [folder, ...others] = positionals
    if (folder === undefined || others.length > 0) throw new UsageError('shrink takes one tape')
    if (values.out === undefined) throw new UsageError('--out DIR is missing: where is the new tape to be?')
    const check = oneOf('check', values.check, ['regress', 'chaos'])
    const options = {
      seed: wholeNumber('seed', values.seed, 1),
      cases: namedCases(values.cases),
      runs: wholeNumber('runs', values.runs, 500),
      limit: caseLimit(values.limit, 2000),
      sockets: 0,
    }
    const newCheck = (): FailureOf => (check === 'regress' ? regressFailure() : chaosFailure(options))
    const { env } = surroundings
    const paths = { folder: typedPath(folder, env), out: typedPath(values.out, env) }
    return shrinkTo({ ...paths, check, isJson: values.json === true, newCheck }, surroundings)
  },
}

interface Shrinking {
  readonly folder: string
  readonly out: string
  readonly check: 'regress' | 'chaos'
  readonly isJson: boolean
  readonly newCheck: () => FailureOf
}

async function shrinkTo(
  { folder, out, check, isJson, newCheck }: Shrinking,
  surroundings: Surroundings,
): Promise<number> {
  const tape = openTape(folder)
  const link = linkAmongGoldens(folder)
  if (link !== undefined) throw new UsageError(`${join(folder, link)} is a link, and links are not followed`)
  if (existsSync(out) && readdirSync(out).length > 0) throw new UsageError(`${out}: it is not empty`)
  for (const problem of tape.problems) {
    surroundings.err(`${visibleLine(`${folder}, ${problemWords(problem)}`)}\n`)
  }
  const progress = progressLine(surroundings)
  const shrunk = await shrink(tape, newCheck(), {
    depth: check === 'regress' ? 'exchanges' : 'everything',
    signal: surroundings.signal,
    onTry: (tries) => progress.show(`try ${tries}`),
  })
  progress.clear()
  const say = (words: string, value: object): void =>
    surroundings.out(
      isJson ? `${visibleJson({ ...value, problems: tape.problems })}\n` : `${visibleText(words)}\n`,
    )
  if (shrunk === undefined) {
    say(`${basename(folder)} does not fail: nothing was written`, { ok: false, reason: 'it does not fail' })
    return EXIT.found
  }
  write(shrunk, { folder, out })
  const failure = await newCheck()(readTape(out))
  if (failure === undefined) throw new Error(`${out}: the tape that was written does not fail any more`)
  const { removed } = shrunk
  const left = removed.length === 0 ? 'nothing could be left out' : `left out: ${removed.join('; ')}`
  say(`${out}: ${left}\nit fails: ${failure}`, { ok: true, out, removed, failure })
  return tape.problems.length === 0 ? EXIT.ok : EXIT.found
}

function write(
  { tape, removed }: ShrunkTape,
  { folder, out }: { readonly folder: string; readonly out: string },
): void {
  try {
    const numbers = writeTape(tape, out)
    copyGoldens(folder, out, numbers)
    const what = removed.length === 0 ? 'Nothing could be left out.' : `Left out: ${removed.join('; ')}.`
    writeFileSync(
      join(out, 'README.md'),
      `# A smaller ${basename(folder)}\n\nMade by \`hydra-tape shrink\`. ${what}\n`,
    )
  } catch (thrown) {
    throw new UsageError(`--out: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
      cause: thrown,
    })
  }
}

/** Expected answers go along under the new numbers of their exchanges. */
function copyGoldens(folder: string, out: string, numbers: ReadonlyMap<number, number>): void {
  for (const [number, names] of goldensIn(folder)) {
    const now = numbers.get(number)
    for (const name of now === undefined ? [] : names) {
      const renamed = name.replace(/^\d+/, String(now).padStart(3, '0'))
      writeGolden(out, renamed, readGolden(folder, name) ?? new Uint8Array())
    }
  }
}
