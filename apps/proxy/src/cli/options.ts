import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

/** The options of every command that needs a gateway, as they were typed. */
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
  readonly insecure?: boolean | undefined
  readonly help?: boolean | undefined
}

/** What was typed after a command. */
export interface ParsedArguments {
  readonly options: CliOptions
  readonly rest: readonly string[]
}

const OPTIONS = {
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
  insecure: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Reads the options in front of the first word that is none; that word and what follows is left alone. */
export function parseOptions(args: readonly string[]): ParsedArguments {
  const end = endOfOptions(args)
  try {
    const { values } = parseArgs({ args: args.slice(0, end), options: OPTIONS, strict: true })
    return { options: values, rest: args.slice(end).filter((word, index) => index > 0 || word !== '--') }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
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
