import { readFileSync } from 'node:fs'
import { commandLines, runProgram, versionLine } from '@hydra/cli'
import type { Command, Surroundings } from '../command.ts'

/** Runs what was typed after `hydra-tape` and returns the exit code. */
export function runCommandLine(
  commands: readonly Command[],
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const program = {
    name: 'hydra-tape',
    version: () => versionLine(version(), import.meta.url),
    help: helpOf(commands),
    commands,
  }
  return runProgram(program, args, surroundings)
}

function helpOf(commands: readonly Command[]): string {
  return `hydra-tape: record agent sessions, replay, compare and break them

Usage
  hydra-tape COMMAND [options]

Commands
${commandLines(commands)
  .map((line) => `  ${line}`)
  .join('\n')}

Options
  -h, --help     this text; after a command, what that command can do
      --version  the version

Exit codes
  0  all is well
  1  the command found what it looks for: a difference, a secret, a failure
  2  what was typed makes no sense, or a file cannot be read

Example
  hydra-tape regress fixtures/tapes
`
}

function version(): string {
  const { version: own } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  return own
}
