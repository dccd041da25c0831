import { readFileSync } from 'node:fs'
import { type Command, EXIT, type Surroundings, UsageError } from '../command.ts'
import { visibleText } from '../show/visible-text.ts'
import { nearest } from './nearest.ts'
import { withProgramName } from './program-name.ts'

/** Runs what was typed after `hydra-tape` and gives the exit code. Mistakes of the user are one line. */
export async function runCommandLine(
  commands: readonly Command[],
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    return await dispatch(commands, args, surroundings)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    surroundings.err(`hydra-tape: ${visibleText(withProgramName(error.message, surroundings.env))}\n`)
    return EXIT.usage
  }
}

async function dispatch(
  commands: readonly Command[],
  [name = '--help', ...rest]: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const print = (text: string): number => {
    const named = withProgramName(text, surroundings.env)
    surroundings.out(named.endsWith('\n') ? named : `${named}\n`)
    return EXIT.ok
  }
  if (name === '--version') return print(version())
  if (name === 'help' && rest[0] !== undefined) return print(commandNamed(commands, rest[0]).help)
  if (name === '--help' || name === '-h' || name === 'help') return print(helpOf(commands))
  const command = commandNamed(commands, name)
  if (asksForHelp(rest)) return print(command.help)
  return command.run(rest, surroundings)
}

function commandNamed(commands: readonly Command[], name: string): Command {
  const command = commands.find((known) => known.name === name)
  if (command !== undefined) return command
  if (name.startsWith('-')) {
    throw new UsageError(`the command comes first, got ${name}; see hydra-tape --help`)
  }
  const meant = nearest(
    name,
    commands.map((known) => known.name),
  )
  const hint = meant === undefined ? 'see hydra-tape --help' : `did you mean '${meant}'?`
  throw new UsageError(`there is no command '${name}'; ${hint}`)
}

/** What follows `--` belongs to a program that is started. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  return own.includes('--help') || own.includes('-h')
}

function helpOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
  return `hydra-tape: record agent sessions, replay, compare and break them

Usage
  hydra-tape COMMAND [options]

Commands
${list}

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
