import { parseArguments, parseLeadingOptions, UsageError } from '@hydra/cli'
import { type CliOptions, OPTIONS, RUN_OPTIONS } from '../settings/options.ts'

/** What was typed after `hydra run`. */
export interface RunArguments {
  readonly options: CliOptions
  /** Only what is known is to be shown. */
  readonly list: boolean
  /** The dialect that the agent is to speak, where it knows several. */
  readonly speak: string | undefined
  /** The command to run, and its arguments. */
  readonly rest: readonly string[]
}

/** Parses the options of a command that takes nothing else. */
export function parseOnlyOptions(name: string, args: readonly string[]): CliOptions {
  const command = `hydra ${name}`
  const { values, positionals } = parseArguments(withoutSeparator(args), { command, options: OPTIONS })
  const [word] = positionals
  if (word === undefined) return values
  throw new UsageError(`${command} takes options only, got '${word}'; see ${command} --help`)
}

/** Parses the options in front of the command that `hydra run` runs. */
export function parseOptions(args: readonly string[]): RunArguments {
  const { values, rest } = parseLeadingOptions(args, { command: 'hydra run', options: RUN_OPTIONS })
  const { list = false, speak, ...options } = values
  return { options, list, speak, rest }
}

/** Package managers pass on the `--` that separates their options from ours. */
export function withoutSeparator(args: readonly string[]): readonly string[] {
  return args[0] === '--' ? args.slice(1) : args
}
