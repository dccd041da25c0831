import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

/** The options of every command, as they were typed. */
export interface CliOptions {
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly 'target-url'?: string | undefined
  readonly spoof?: string | undefined
  readonly passthrough?: string | undefined
  readonly 'anthropic-url'?: string | undefined
  readonly key?: string | undefined
  readonly config?: string | undefined
  readonly workers?: string | undefined
  readonly log?: string | undefined
  readonly record?: string | undefined
  readonly 'record-policy'?: string | undefined
  readonly 'loop-guard'?: string | undefined
  readonly insecure?: boolean | undefined
  readonly help?: boolean | undefined
}

/** What was typed after a command. */
export interface ParsedArguments {
  readonly options: CliOptions
  readonly rest: readonly string[]
}

/** The options that can be typed, by name. */
export const OPTIONS = {
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  model: { type: 'string', short: 'm' },
  provider: { type: 'string' },
  'target-url': { type: 'string' },
  spoof: { type: 'string' },
  passthrough: { type: 'string' },
  'anthropic-url': { type: 'string' },
  key: { type: 'string' },
  config: { type: 'string', short: 'c' },
  workers: { type: 'string' },
  log: { type: 'string' },
  record: { type: 'string' },
  'record-policy': { type: 'string' },
  'loop-guard': { type: 'string' },
  insecure: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Reads the options of a command that takes nothing else. */
export function parseOnlyOptions(command: string, args: readonly string[]): CliOptions {
  // Package managers hand over the `--` that separates their options from ours.
  const { options, rest } = parseOptions(args[0] === '--' ? args.slice(1) : args)
  const [word] = rest
  if (word === undefined) return options
  throw new UsageError(`hydra ${command} takes options only, got '${word}'; see hydra --help`)
}

/** Reads the options in front of the first word that is none; that word and what follows is left alone. */
export function parseOptions(args: readonly string[]): ParsedArguments {
  const end = endOfOptions(args)
  const options = parseTyped(args.slice(0, end))
  for (const [name, value] of Object.entries(options)) {
    // An unset variable in a shell script must not switch off a key without a word.
    if (value === '') throw new UsageError(`--${name}: expected a value, got an empty one`)
  }
  return { options, rest: args.slice(args[end] === '--' ? end + 1 : end) }
}

function parseTyped(args: string[]): CliOptions {
  try {
    return { ...parseArgs({ args, options: OPTIONS, strict: true }).values }
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const unknown = /^Unknown option '([^']+)'/.exec(line)
    throw new UsageError(unknown === null ? line : `unknown option ${unknown[1]}; see hydra --help`)
  }
}

function endOfOptions(args: readonly string[]): number {
  let index = 0
  for (
    let word = args[index];
    word !== undefined && word.startsWith('-') && word !== '--';
    word = args[index]
  ) {
    index += takesValue(word) ? 2 : 1
  }
  return index
}

function takesValue(word: string): boolean {
  if (word.includes('=')) return false
  const named = Object.entries(OPTIONS).find(
    ([name, option]) => word === `--${name}` || ('short' in option && word === `-${option.short}`),
  )
  return named?.[1].type === 'string'
}
