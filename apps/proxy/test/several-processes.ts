import { execFileSync } from 'node:child_process'
import { eventually } from './eventually.ts'
import type { Hydra } from './hydra.ts'
import { rawStream } from './raw-client.ts'

/** The processes that a process has started. */
export function childrenOf(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []))
}

/** Asks on a connection of its own: one that is kept stays with its process. */
export async function ask({ port }: Hydra): Promise<void> {
  const client = await rawStream(port)
  await eventually(() => client.received().includes('event: message_stop'), 'the answer')
  client.socket.destroy()
}

/** Asks so many times, one after the other. */
export async function askInTurn(hydra: Hydra, times: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let count = 0; count < times; count += 1) await ask(hydra)
}

/** Kills one process of two, and waits for the line that tells of it. */
export async function killOne(hydra: Hydra): Promise<number> {
  const [victim = 0, ...others] = childrenOf(hydra.pid)
  if (others.length !== 1) throw new Error(`expected two processes, got ${others.length + 1}`)
  process.kill(victim, 'SIGKILL')
  await eventually(() => hydra.output().includes(`worker ${victim} has ended`), 'the line of the log')
  return victim
}
