/** What a command may use of its surroundings; tests pass their own. */
export interface Surroundings {
  /** Writes to standard output. */
  out(text: string): void
  /** Writes to standard error: progress and complaints. */
  err(text: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends work that would go on for ever; the first interrupt of the user. */
  readonly signal: AbortSignal
  /** Whether standard error is a terminal that progress may be drawn on. */
  readonly isTerminal: boolean
  /** Whether standard output may be coloured; not if nothing is said. */
  readonly hasColours?: boolean
}

/** One command of `hydra-tape`. */
export interface Command {
  readonly name: string
  /** What it does, in one line. */
  readonly summary: string
  /** What `--help` prints, with an example. */
  readonly help: string
  /** Runs it with what was typed after its name; gives the exit code. Mistakes in what was typed are `UsageError`s. */
  run(args: readonly string[], surroundings: Surroundings): Promise<number>
}

/** The exit codes of all commands. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** The command ran, and what it looked for is not so: a difference, a secret, a failure. */
  found: 1,
  /** What was typed makes no sense, or a file cannot be read. */
  usage: 2,
} as const

/** A mistake of whoever typed the command: told in one line, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
