import { type ChildProcess, spawn } from 'node:child_process'

/** What to run, and in which surroundings; nothing is inherited but what is named here. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly input?: string | undefined
  readonly seconds: number
}

/** How a command ended. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
  readonly isTimeout: boolean
}

const running = new Set<ChildProcess>()

/** Starts a process in a group of its own, so that it can be ended with everything that it starts. */
export function start({ file, args, folder, env }: Omit<Command, 'input' | 'seconds'>): ChildProcess {
  const child = spawn(file, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Runs a command to its end, or to the end of its time. */
export function run({ input = '', seconds, ...command }: Command): Promise<Outcome> {
  const child = start(command)
  const began = performance.now()
  const output = { stdout: '', stderr: '' }
  let isTimeout = false
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  // A command that does not read its input is none of our business.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const clock = setTimeout(() => {
    isTimeout = true
    kill(child)
  }, seconds * 1000)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      kill(child)
      resolve({ ...output, code, isTimeout, seconds: (performance.now() - began) / 1000 })
    })
  }).finally(() => clearTimeout(clock)) as Promise<Outcome>
}

/** Ends a process and everything that it has started and left behind. */
export function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has gone already.
  }
}

/** Ends everything that still runs. */
export function killAll(): void {
  for (const child of running) kill(child)
}
