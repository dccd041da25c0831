import { basename } from 'node:path'
import {
  oneOf,
  parseArguments,
  programName,
  UsageError,
  visibleJson,
  visibleLine,
  workingFolder,
} from '@hydra/cli'
import { progressLine } from '../cli/progress-line.ts'
import { type Command, EXIT } from '../command.ts'
import { writeJunit } from '../verdict/junit.ts'
import { regressVerdict } from './regress-verdict.ts'
import { coloured } from './diff-answers.ts'
import { describeResult } from './describe-result.ts'
import { regressReport } from './regress-report.ts'
import { regress } from './regress.ts'
import type { Through } from './regress-result.ts'
import { tapeFolders } from './tape-folders.ts'

const HELP = `hydra-tape regress [TAPES...]: every exchange through the current translator

Compares what the upstream is sent with what it was sent then, and what the client gets with the files in
the tape's folder 'expect'. Without a name it takes every tape below fixtures/tapes.

Options
  --update        rewrites the expected answers that have changed; read them before you commit them
  --through WHAT  core (in memory, the default), express, fastify, hono (real servers), or all
  --junit FILE    also writes a JUnit report
  --json          prints the result as JSON
  -h, --help      this text

Exit codes
  0  everything is as expected
  1  something is different, an expected answer is missing, or a tape cannot be read to its end
  2  what was typed makes no sense

Examples
  hydra-tape regress
  hydra-tape regress fixtures/tapes/claude-code-one-tool --through all
  hydra-tape regress my-tape --update
`

const WAYS = ['core', 'express', 'fastify', 'hono', 'all'] as const
const ALL: readonly Through[] = ['core', 'express', 'fastify', 'hono']

/** Sends tapes through the current translator and compares. */
export const regressCommand: Command = {
  name: 'regress',
  summary: 'compare what tapes become now with what is expected',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, {
      command: 'hydra-tape regress',
      options: {
        update: { type: 'boolean' },
        through: { type: 'string' },
        junit: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    const way = oneOf('through', values.through, WAYS)
    if (values.update === true && way !== 'core') {
      throw new UsageError('--update takes what comes out of the translator itself, without --through')
    }
    const progress = progressLine(surroundings)
    const result = await regress(tapeFolders(positionals, workingFolder(surroundings.env)), {
      update: values.update === true,
      through: way === 'all' ? ALL : [way],
      signal: surroundings.signal,
      program: programName(surroundings.env),
      onProgress({ folder, through, done, total }) {
        progress.show(`${done + 1} of ${total}  ${visibleLine(basename(folder))} through ${through}`)
      },
    })
    progress.clear()
    writeJunit(values.junit, () => regressReport(result), surroundings)
    const show = surroundings.hasColours === true ? coloured : undefined
    const verdict = regressVerdict(result)
    surroundings.out(
      values.json === true ? `${visibleJson({ verdict, ...result })}\n` : describeResult(result, show),
    )
    return verdict.passed ? EXIT.ok : EXIT.found
  },
}
