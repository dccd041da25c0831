import { type ChildProcess, spawn } from 'node:child_process'
import { runProgram } from '@hydra/cli'
import { testedProgram } from '@hydra/release/tested-program'
import { HYDRA } from '../src/cli/program.ts'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './temporary.ts'

/** A process of ours that has ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A proxy that runs as a process of its own. */
export interface Hydra {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** All that it has printed so far. */
  output(): string
  signal(signal: NodeJS.Signals): void
  /** Sends a signal to all processes of a proxy with workers. */
  signalAll(signal: NodeJS.Signals): void
  /** Stops reading what it prints on standard error, as a log collector does that has died. */
  closeStderr(): void
  readonly ended: Promise<Ended>
  close(): Promise<void>
}

/** Variables for a process of ours. */
export type Variables = Readonly<Record<string, string>>

/**
 * Nothing of the environment counts but what a test sets, and the home is empty, so that no configuration of whoever runs
 * the tests is read. What is compiled is shared.
 */
function environment(env: Variables): Variables {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, HOME: temporaryFolder(), NODE_COMPILE_CACHE, ...env }
}

/** Starts `hydra` with these arguments. */
function start(
  args: readonly string[],
  env: Variables,
  cwd?: string,
): { child: ChildProcess; text: () => Ended } {
  const child = spawn(process.execPath, [testedProgram('hydra'), ...args], {
    env: environment(env),
    cwd,
    // A group of its own can be signalled as a whole, as terminals do it.
    detached: args.includes('--workers'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece))
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece))
  return { child, text: () => ({ code: child.exitCode, stdout, stderr }) }
}

function endOf(child: ChildProcess, text: () => Ended): Promise<Ended> {
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...text(), code })))
}

/** Runs `hydra` to its end. */
export function runHydra(args: readonly string[], env: Variables = {}, cwd?: string): Promise<Ended> {
  const { child, text } = start(args, env, cwd)
  return endOf(child, text)
}

/** Runs `hydra` to its end without a process of its own: for what is said about what was typed. */
export async function runHydraHere(args: readonly string[], env: Variables = {}): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  const code = await runProgram(HYDRA, args, {
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
    env: environment(env),
  })
  return { code, stdout, stderr }
}

/** A command of `hydra` that runs. */
export interface Running {
  /** All that it has printed to standard output so far. */
  printed(): string
  signal(signal: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

/** Starts any command of `hydra`, to be signalled. */
export function beginHydra(args: readonly string[], env: Variables = {}): Running {
  const { child, text } = start(args, env)
  return {
    printed: () => text().stdout,
    signal: (signal) => child.kill(signal),
    ended: endOf(child, text),
  }
}

/** Starts `hydra serve` on a free port and waits until it says where it listens. */
export async function startHydra(
  args: readonly string[] = [],
  env: Variables = {},
  onSpawn: (pid: number) => () => void = () => () => {},
): Promise<Hydra> {
  const { child, text } = start(['serve', '--port', '0', ...args], env)
  const ended = endOf(child, text)
  const started = onSpawn(child.pid ?? 0)
  const url = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`hydra ended: ${text().stderr}`)
    return /(?:listens on |"url":")(http:[^\s"]+)/.exec(text().stdout)?.[1]
  }, 'the banner')
  started()
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    output: () => text().stdout + text().stderr,
    signal: (signal) => child.kill(signal),
    signalAll: (signal) => process.kill(-(child.pid ?? 0), signal),
    closeStderr: () => child.stderr?.destroy(),
    ended,
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
