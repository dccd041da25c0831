#!/usr/bin/env -S node --max-semi-space-size=8
import { HELP } from './cli/help.ts'
import { UsageError } from './cli/usage-error.ts'
import { VERSION } from './version.ts'

type Command = (args: readonly string[]) => Promise<number>

/** Commands are loaded when they are needed: help and mistakes are answered at once. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async () => (await import('./serve/serve.ts')).serve],
  ['run', async () => (await import('./run/run.ts')).run],
  ['doctor', async () => (await import('./doctor/doctor.ts')).doctor],
  ['explain', async () => (await import('./explain/explain.ts')).explain],
  ['check', async () => (await import('./check.ts')).check],
])

async function main(args: readonly string[]): Promise<number> {
  const [name = '--help'] = args
  if (name === '--version') return print(`${VERSION}\n`)
  if (name === '--help' || name === '-h' || name === 'help') return print(HELP)
  // `hydra --port 4010` leaves out the command.
  return name.startsWith('-') ? start('serve', args) : start(name, args.slice(1))
}

async function start(name: string, args: readonly string[]): Promise<number> {
  const load = COMMANDS.get(name)
  if (load === undefined) throw new UsageError(`there is no command '${name}'; see hydra --help`)
  if (asksForHelp(name, args)) return print(HELP)
  const command = await load()
  return command(args)
}

/** `run` leaves the options of its command alone, and `explain` has a help of its own. */
function asksForHelp(name: string, args: readonly string[]): boolean {
  if (name === 'explain') return false
  const own = name === 'run' ? args.slice(0, 1) : args
  return own.includes('--help') || own.includes('-h')
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`hydra: ${error.message}\n`)
  process.exitCode = 2
} finally {
  // The line between the first process and its workers would keep both alive.
  process.channel?.unref()
}
