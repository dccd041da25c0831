import type { Command as CliCommand, Terminal } from '@hydra/cli'

/** What a command may use of its surroundings; tests pass their own. */
export interface Surroundings extends Terminal {
  /** Ends work that would go on for ever; the first interrupt of the user. */
  readonly signal: AbortSignal
  /** Whether standard error is a terminal that progress may be drawn on. */
  readonly isTerminal: boolean
  /** Whether standard output may be coloured; by default not. */
  readonly hasColours?: boolean
}

/** One command of `hydra-tape`. */
export type Command = CliCommand<Surroundings>

/** The exit codes of all commands. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** The command ran, and what it looked for is not so: a difference, a secret, a failure. */
  found: 1,
  /** What was typed makes no sense, or a file cannot be read. */
  usage: 2,
} as const
