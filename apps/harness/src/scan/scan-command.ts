import { homedir } from 'node:os'
import { defaultRedaction, scanTape, type SecretFinding } from '@hydra/tape'
import type { Command } from '../command.ts'
import { checkTapes } from '../verify/check-tapes.ts'

const HELP = `hydra-tape scan: looks for secrets in tapes

Usage
  hydra-tape scan PATHS… [--json]

A path is a tape, or a folder with tapes in it. All files of a tape are searched for the values of environment
variables named *KEY, *TOKEN, *SECRET or *PASSWORD, for the known shapes of keys, for e-mail addresses and for the
home directory; also for secrets that are cut between two chunks. A line that is torn is searched as it is.
A finding says the file, the place and the kind, and never the secret.

Options
  --json      the result as JSON
  -h, --help  this text

Exit codes
  0  no secret was found
  1  there is a secret, or a tape cannot be read at all; that one is damaged is for verify to say
  2  what was typed makes no sense, or there is no tape

Example
  hydra-tape scan fixtures/tapes
`

/** `scan`: secrets in tapes. */
export const scanCommand: Command = {
  name: 'scan',
  summary: 'looks for secrets in tapes',
  help: HELP,
  async run(args, surroundings) {
    const redaction = defaultRedaction(surroundings.env, homedir())
    const find = (folder: string): readonly SecretFinding[] => scanTape(folder, redaction)
    return checkTapes({ command: 'scan', thing: 'secret', find, describe }, args, surroundings)
  },
}

function describe({ file, line, offset, kind }: SecretFinding): string {
  return `${file}, line ${line}${offset === undefined ? '' : `, byte ${offset}`}: ${kind}`
}
