#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { check } from './check.ts'
import { HELP } from './cli/help.ts'
import { UsageError } from './cli/usage-error.ts'
import { doctor } from './doctor.ts'
import { run } from './run.ts'
import { serve } from './serve/serve.ts'

type Command = (args: readonly string[]) => Promise<number>

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['serve', serve],
  ['run', run],
  ['doctor', doctor],
  ['check', check],
])

async function main(args: readonly string[]): Promise<number> {
  const [name = '--help', ...rest] = args
  if (name === '--version') return print(`${version()}\n`)
  if (name === '--help' || name === '-h' || name === 'help' || asksForHelp(name, rest)) return print(HELP)
  // `pnpm start --port 4010` leaves out the command.
  if (name.startsWith('-')) return serve(args)
  const command = COMMANDS.get(name)
  if (command === undefined) throw new UsageError(`there is no command '${name}'; see hydra --help`)
  return command(rest)
}

/** `run` leaves the options of its command alone. */
function asksForHelp(name: string, rest: readonly string[]): boolean {
  const own = name === 'run' ? rest.slice(0, 1) : rest
  return own.includes('--help') || own.includes('-h')
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function version(): string {
  const { version: own } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return own
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`hydra: ${error.message}\n`)
  process.exitCode = 2
}
