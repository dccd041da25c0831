import { UsageError } from '@hydra/cli'

/** What was typed before and behind `--`. */
export interface SplitArguments {
  readonly own: readonly string[]
  readonly line: readonly [command: string, ...args: string[]]
}

/** Splits what was typed into our options and the command that is run. */
export function commandBehindDashes(name: string, args: readonly string[]): SplitArguments {
  const end = args.indexOf('--')
  const [command, ...rest] = end === -1 ? [] : args.slice(end + 1)
  if (command === undefined) {
    throw new UsageError(
      `${name}: expected a command behind --, as in: hydra-tape ${name} TAPE -- claude -p "…"`,
    )
  }
  return { own: args.slice(0, end), line: [command, ...rest] }
}
