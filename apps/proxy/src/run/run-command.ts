import { type Environment, runProcess, UsageError, workingFolder } from '@hydra/cli'

/** A program that is run, and what stops it. */
export interface ProgramToRun {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Environment
  readonly signal: AbortSignal
}

/** Runs a program where the command was typed and gives its exit code; signals go on to it. */
export async function runCommand(command: ProgramToRun): Promise<number> {
  try {
    return await runProcess({ ...command, cwd: workingFolder(process.env) })
  } catch {
    throw new UsageError(`${command.program} cannot be started`)
  }
}
