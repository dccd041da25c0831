import { COMMANDS as TAPE_COMMANDS } from '../../../harness/src/commands.ts'
import { parseOnlyOptions, parseOptions } from '../../../proxy/src/cli/parse-options.ts'
import { COMMANDS } from '../../../proxy/src/cli/commands.ts'
import { readSettings } from '../../../proxy/src/settings/read-settings.ts'
import type { TypedCommand } from './typed-command.ts'

const PROGRAMS = { hydra: COMMANDS, 'hydra-tape': TAPE_COMMANDS } as const

/** What is wrong with a command of one of the programs, as far as its help tells; nothing if nothing is. */
export function mistakeIn({ program, args }: TypedCommand): string | undefined {
  if (program !== 'hydra' && program !== 'hydra-tape') return undefined
  const [name = '', ...rest] = args
  if (name === '' || name === '…' || name.startsWith('-')) return undefined
  const command = PROGRAMS[program].find((known) => known.name === name)
  if (command === undefined) return `${program} has no command '${name}'`
  const own =
    command.ownArguments?.(rest) ?? rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
  const unknown = own
    .flatMap((word) => /^(--[a-z][\w-]*)/.exec(word)?.[1] ?? [])
    .find((option) => !new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(`${command.help} --help --json`))
  return unknown === undefined ? undefined : `${program} ${name} has no option ${unknown}`
}

const WITH_SETTINGS: ReadonlySet<string | undefined> = new Set(['serve', 'run', 'doctor', 'check'])

/** Whether a command asks a model that is not there in a test; its settings can be read all the same. */
export function namesTarget({ program, args }: TypedCommand): boolean {
  if (program !== 'hydra' || !WITH_SETTINGS.has(args[0])) return false
  return args.some((word) => /^(?:-m|--(?:model|provider|target-url|passthrough)\b)/.test(word))
}

/** Reads the settings of a command as the proxy does before it listens; what is wrong with them is an error. */
export async function readTarget({ args: [name = '', ...rest], env }: TypedCommand): Promise<void> {
  const options = name === 'run' ? parseOptions(rest).options : parseOnlyOptions(name, rest)
  const { isDemo } = await readSettings(options, { HOME: '/nonexistent', ...env })
  if (isDemo) throw new Error('the built-in demo would answer')
}
