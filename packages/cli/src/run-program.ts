import { columns } from './help-text.ts'
import { didYouMean } from '@hydra/core/did-you-mean'
import { inClone } from './program-name.ts'
import type { Environment } from './typed-path.ts'
import { UsageError } from './usage-error.ts'
import { visibleText } from './visible-text.ts'

/** Where a program writes, and its environment; tests pass their own. */
export interface Terminal {
  /** Writes to standard output. */
  out(text: string): void
  /** Writes to standard error. */
  err(text: string): void
  readonly env: Environment
}

/** One command of a program. */
export interface Command<Around extends Terminal = Terminal> {
  readonly name: string
  /** What it does, in one line. */
  readonly summary: string
  /** What `--help` prints, with an example. */
  readonly help: string
  /** Those of its arguments among which `--help` is its own; by default all in front of `--`. */
  ownArguments?(args: readonly string[]): readonly string[]
  /** Runs it with what was typed after its name; returns the exit code. Mistakes in what was typed are `UsageError`s. */
  run(args: readonly string[], around: Around): Promise<number>
}

/** A program: commands under one name. */
export interface Program<Around extends Terminal = Terminal> {
  readonly name: string
  /** What `--version` says after the name. */
  readonly version: string | (() => string)
  readonly help: string
  readonly commands: readonly Command<Around>[]
  /** The command that options without a command are for. */
  readonly defaultCommand?: string
}

const VERSION_WORDS: ReadonlySet<string> = new Set(['--version', '-v'])
const HELP_WORDS: ReadonlySet<string> = new Set(['--help', '-h', 'help'])

const OK = 0
const WRONG_USAGE = 2

/** Runs what was typed after a program's name and returns the exit code. Mistakes of the user are one line. */
export async function runProgram<Around extends Terminal>(
  program: Program<Around>,
  args: readonly string[],
  around: Around,
): Promise<number> {
  try {
    return await dispatch(program, args, around)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    around.err(`${program.name}: ${visibleText(inClone(error.message, around.env))}\n`)
    return WRONG_USAGE
  }
}

async function dispatch<Around extends Terminal>(
  program: Program<Around>,
  args: readonly string[],
  around: Around,
): Promise<number> {
  const print = (text: string): number => {
    around.out(inClone(text.endsWith('\n') ? text : `${text}\n`, around.env))
    return OK
  }
  const [name = '--help', ...rest] = args
  const printVersion = (): number => print(`${program.name} ${versionOf(program)}`)
  if (VERSION_WORDS.has(name)) return printVersion()
  if (name === 'help' && rest[0] !== undefined) return print(commandNamed(program, rest[0]).help)
  if (HELP_WORDS.has(name)) return print(program.help)
  const isLeftOut = name.startsWith('-') && program.defaultCommand !== undefined
  const command = commandNamed(program, isLeftOut ? program.defaultCommand : name)
  const own = isLeftOut ? args : rest
  if (asksForVersion(command, own)) return printVersion()
  return asksForHelp(command, own) ? print(command.help) : command.run(own, around)
}

function versionOf({ version }: Program<never>): string {
  return typeof version === 'string' ? version : version()
}

function commandNamed<Around extends Terminal>(program: Program<Around>, name: string): Command<Around> {
  const { name: programName, commands } = program
  const command = commands.find((known) => known.name === name)
  if (command !== undefined) return command
  if (name.startsWith('-')) {
    throw new UsageError(`the command comes first, got ${name}; see ${programName} --help`)
  }
  const names = commands.map((known) => known.name)
  throw new UsageError(
    `there is no command '${name}'; ${didYouMean(name, names) ?? `see ${programName} --help`}`,
  )
}

function asksForHelp(command: Command<never>, args: readonly string[]): boolean {
  const own = ownArguments(command, args)
  return own.includes('--help') || own.includes('-h')
}

function asksForVersion(command: Command<never>, args: readonly string[]): boolean {
  return ownArguments(command, args).includes('--version')
}

function ownArguments(command: Command<never>, args: readonly string[]): readonly string[] {
  return command.ownArguments?.(args) ?? beforeSeparator(args)
}

/** What follows `--` belongs to a program that is started. */
function beforeSeparator(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

/** The commands of a program, one line each, for its help. */
export function commandLines(commands: readonly Pick<Command, 'name' | 'summary'>[]): readonly string[] {
  return columns(commands.map(({ name, summary }) => [name, summary]))
}
