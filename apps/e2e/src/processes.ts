import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Only what hangs takes so long: a machine that is busy with something else does not count as a failure. */
const MAX_SECONDS = 300

const POLL_MILLISECONDS = 20

/** What to run, and in which surroundings; nothing is inherited but what is named here. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly input?: string | undefined
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
export function start({ file, args, folder, env }: Omit<Command, 'input'>): ChildProcess {
  const child = spawn(file, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Runs a command to its end. */
export function run({ input = '', ...command }: Command): Promise<Outcome> {
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
  }, MAX_SECONDS * 1000)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      kill(child)
      resolve({ ...output, code, isTimeout, seconds: (performance.now() - began) / 1000 })
    })
  }).finally(() => clearTimeout(clock)) as Promise<Outcome>
}

/** Polls until a process has got so far that there is a value; says what it has printed if it never does. */
export async function untilReady<Value>(
  child: ChildProcess,
  printed: () => string,
  look: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = performance.now() + MAX_SECONDS * 1000
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- polling
    const value = await look()
    if (value !== undefined) return value
    const isOver = child.exitCode !== null || child.signalCode !== null || performance.now() > deadline
    if (isOver) throw new Error(`a process has ended, or hangs:\n${printed()}`)
    // oxlint-disable-next-line no-await-in-loop
    await sleep(POLL_MILLISECONDS)
  }
}

/** Asks a process to end, and gives its exit code once it has; one that hangs is killed, and gives none. */
export async function stop(child: ChildProcess): Promise<number | null> {
  const ended = child.exitCode ?? child.signalCode ?? once(child, 'close')
  const clock = setTimeout(() => kill(child), MAX_SECONDS * 1000)
  child.kill('SIGTERM')
  await ended
  clearTimeout(clock)
  kill(child)
  return child.exitCode
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
