import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { constants } from 'node:os'

/** What is run, in which environment and folder. */
export interface ProcessToRun {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NonNullable<SpawnOptions['env']>
  readonly cwd?: string | undefined
  /** Stops it. */
  readonly signal?: AbortSignal
}

/** Runs a program on this terminal to its end and gives its exit code; signals go on to it. */
export function runProcess({ program, args, env, cwd, signal: stop }: ProcessToRun): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env, ...(cwd === undefined ? {} : { cwd }) })
  const stopForwarding = forwardSignals(child)
  if (stop !== undefined) stop.addEventListener('abort', () => child.kill('SIGTERM'))
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) =>
      resolve(code === null ? 128 + (signal === null ? 0 : constants.signals[signal]) : code),
    )
  })
  return ended.finally(stopForwarding)
}

/** A terminal sends these to the whole process group; many agents exit at once on a second SIGINT. */
const FROM_TERMINALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP', 'SIGQUIT']

function forwardSignals(child: ChildProcess): () => void {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  const forward = (signal: NodeJS.Signals): void => {
    if (!hasTerminal || !FROM_TERMINALS.includes(signal)) child.kill(signal)
  }
  const forwarded: readonly NodeJS.Signals[] = ['SIGTERM', ...FROM_TERMINALS]
  for (const signal of forwarded) process.on(signal, forward)
  return () => {
    for (const signal of forwarded) process.off(signal, forward)
  }
}
