import { expect, test } from 'vitest'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra, type Variables } from './hydra.ts'
import { ask, askInTurn, childrenOf, killOne } from './several-processes.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const opened = closing()

async function startWorkers(
  log = 'json',
  env: Variables = {},
): Promise<{ hydra: Hydra; upstream: Upstream }> {
  const upstream = await opened(startUpstream(answer({ text: 'Here.' })))
  const flags = ['--target-url', upstream.url, '--model', 'm', '--workers', '2', '--log', log]
  return { upstream, hydra: await opened(startHydra(flags, env)) }
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

test('a process that is killed while it starts is replaced', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'Here.' })))
  // One more than can start at once on a busy machine, so that one of them is caught before it serves.
  const flags = ['--target-url', upstream.url, '--model', 'm', '--workers', '3', '--log', 'json']
  const starting = startHydra(flags, { HYDRA_TEST: '1' }, (pid) => {
    const watch = setInterval(() => {
      const [, victim] = childrenOf(pid)
      if (victim === undefined) return
      clearInterval(watch)
      process.kill(victim, 'SIGKILL')
    }, 1)
    return () => clearInterval(watch)
  })
  const hydra = await opened(starting)
  await eventually(
    () => hydra.output().includes('has ended; another one takes its place'),
    'the line of the log',
  )
  await eventually(() => childrenOf(hydra.pid).length === 3, 'another process')
  hydra.signal('SIGTERM')
  expect((await hydra.ended).code).toBe(0)
})

test('a process that does not react any more is killed in the end', async () => {
  const { hydra } = await startWorkers('json', { HYDRA_DRAIN_LIMIT: '200' })
  await ask(hydra)
  const [stuck = 0] = childrenOf(hydra.pid)
  process.kill(stuck, 'SIGSTOP')
  hydra.signal('SIGTERM')
  const { code, stdout } = await hydra.ended
  expect(code).toBe(0)
  expect(stdout).toContain(`worker ${stuck} did not end in time and was killed`)
  expect(childrenOf(process.pid)).not.toContain(stuck)
})

test('a reader of standard error that is gone does not end the processes', async () => {
  const { hydra, upstream } = await startWorkers('pretty')
  hydra.closeStderr()
  const [victim = 0] = childrenOf(hydra.pid)
  process.kill(victim, 'SIGKILL')
  // Its successor is started after the line that nobody reads.
  await eventually(() => {
    const children = childrenOf(hydra.pid)
    return children.length === 2 && !children.includes(victim)
  }, 'another process')
  await ask(hydra)
  expect(upstream.seen).toHaveLength(1)
  hydra.signal('SIGTERM')
  expect((await hydra.ended).code).toBe(0)
})
