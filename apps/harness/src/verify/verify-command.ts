import { readTape, type TapeProblem, verifyTape } from '@hydra/tape'
import type { Command } from '../command.ts'
import { checkTapes } from './check-tapes.ts'

const HELP = `hydra-tape verify: checks the structure and the hashes of tapes

Usage
  hydra-tape verify PATHS… [--json]

A path is a tape, or a folder with tapes in it. Each problem is told with its line and its reason.

Options
  --json      the result as JSON
  -h, --help  this text

Exit codes
  0  all tapes are in order
  1  there is a problem, or a tape cannot be read
  2  what was typed makes no sense, or there is no tape

Example
  hydra-tape verify fixtures/tapes
`

/** `verify`: structure and hashes of tapes. */
export const verifyCommand: Command = {
  name: 'verify',
  summary: 'checks the structure and the hashes of tapes',
  help: HELP,
  async run(args, surroundings) {
    return checkTapes({ command: 'verify', thing: 'problem', find, describe }, args, surroundings)
  },
}

function find(folder: string): readonly TapeProblem[] {
  const tape = readTape(folder)
  const problems = verifyTape(tape)
  if (tape.header.imported === undefined) return problems
  // An imported tape has one leg; where that is an upstream's, nobody has seen a request of a client.
  return problems.filter(({ reason }) => !/^exchange \d+ has no request of the client$/.test(reason))
}

function describe({ line, reason }: TapeProblem): string {
  return line === 0 ? reason : `line ${line}: ${reason}`
}
