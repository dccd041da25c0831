import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { rawStream } from './raw-client.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const opened = closing()

async function startWorkers(): Promise<{ hydra: Hydra; upstream: Upstream }> {
  const upstream = await opened(startUpstream(answer({ text: 'Here.' })))
  const flags = ['--target-url', upstream.url, '--model', 'm', '--workers', '2', '--log', 'json']
  return { upstream, hydra: await opened(startHydra(flags)) }
}

/** The processes that a process has started. */
function childrenOf(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []))
}

/** Asks on a connection of its own: one that is kept stays with its process. */
async function ask({ port }: Hydra): Promise<void> {
  const client = await rawStream(port)
  await eventually(() => client.received().includes('event: message_stop'), 'the answer')
  client.socket.destroy()
}

async function askInTurn(hydra: Hydra, times: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let count = 0; count < times; count += 1) await ask(hydra)
}

/** Each process names itself by an id of its own in what it sends. */
function namesOf({ seen }: Upstream): Set<unknown> {
  return new Set(seen.map(({ headers }) => headers['x-hydra-hops']))
}

test('processes share the requests', async () => {
  const { hydra, upstream } = await startWorkers()
  await askInTurn(hydra, 4)
  expect(namesOf(upstream).size).toBe(2)
})

/** Kills one process of two, and waits for the line that tells of it. */
async function killOne(hydra: Hydra): Promise<number> {
  const before = childrenOf(hydra.pid)
  expect(before).toHaveLength(2)
  const [victim = 0] = before
  process.kill(victim, 'SIGKILL')
  await eventually(() => hydra.output().includes(`worker ${victim} has ended`), 'the line of the log')
  return victim
}

test('a process that dies is replaced, and the log says so in its own format', async () => {
  const { hydra, upstream } = await startWorkers()
  await askInTurn(hydra, 4)
  const victim = await killOne(hydra)
  // oxlint-disable-next-line no-await-in-loop -- until a third one has answered
  while (namesOf(upstream).size < 3) await ask(hydra)
  hydra.signal('SIGTERM')
  const { code, stdout, stderr } = await hydra.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, msg: `worker ${victim} has ended; another one takes its place` }),
  )
})

test('a process that is only starting does not hold up the end', async () => {
  const { hydra } = await startWorkers()
  const victim = await killOne(hydra)
  await eventually(
    () => childrenOf(hydra.pid).filter((pid) => pid !== victim).length === 2,
    'another process',
  )
  hydra.signal('SIGTERM')
  expect((await hydra.ended).code).toBe(0)
})
