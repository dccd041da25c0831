import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '@hydra/team'
import { RedisServer, SERVER } from '../../../packages/team/test/redis-server.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, runHydra, startHydra } from './hydra.ts'
import { messagesBody } from './requests.ts'
import { configFile, temporaryFolder } from './temporary.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** `.ci/run team` does it with 2,000 requests at once. */
const BURST = Number(process.env['HYDRA_TEAM_BURST'] ?? 240)
const BUDGETED = BURST / 4
/** What each answer uses, and about what each request reserves. */
const TOKENS = 50
const LEASE = 2000

const opened = closing()

interface Made {
  readonly id: string
  readonly key: string
}

/** An upstream that answers after a moment, and counts. */
async function countingUpstream(delay: number): Promise<Upstream & { answered: number }> {
  const upstream = await opened(
    startUpstream(async (_seen, response) => {
      await sleep(delay)
      response.setHeader('content-type', 'application/json')
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
      const usage = { prompt_tokens: 40, completion_tokens: 10, total_tokens: TOKENS }
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices, usage }), () => {
        if (!response.destroyed) counted.answered += 1
      })
    }),
  )
  const counted = Object.assign(upstream, { answered: 0 })
  return counted
}

async function makeKey(store: string, ...options: string[]): Promise<Made> {
  const { stdout, stderr } = await runHydra([
    'keys',
    'create',
    '--store',
    store,
    '--name',
    'a',
    '--json',
    ...options,
  ])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Made
}

function replica(upstream: Upstream, store: string, env: Record<string, string> = {}): Promise<Hydra> {
  const config = configFile({
    upstreams: { up: { url: upstream.url } },
    routes: [{ upstream: 'up', model: 'm' }],
    retries: { times: 0 },
    team: { lease: LEASE, replicas: 3 },
  })
  return opened(startHydra(['--config', config, '--store', store, '--log', 'json'], env))
}

/** Its prompt counts for 30 tokens by length, so that 20 for its answer are all that it may use. */
function ask(url: string, key: string): Promise<number> {
  const body = messagesBody({ max_tokens: 20 }).padEnd(120)
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-api-key': key },
  }).then(async (response) => {
    await response.text()
    return response.status
  })
}

async function accountOf(store: string, id: string): Promise<{ spent: number; held: number }> {
  const opening = await openStore(store, { timeout: 2000 })
  const { account } = await opening.look(id, {})
  await opening.close()
  return { spent: account.spent.day.tokens, held: account.held.count }
}

function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Asks a replica about answers that are kept. */
function call({ url }: Hydra, as: string, method: string, path: string, fields?: object): Promise<Response> {
  return fetch(`${url}/v1/responses${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
    ...(fields && { body: JSON.stringify({ model: 'm', ...fields }) }),
  })
}

/** HAProxy in front of replicas, where it is installed; else they are called in turns. */
async function balanced(replicas: readonly Hydra[]): Promise<(index: number) => string> {
  if (spawnSync('haproxy', ['-v']).status !== 0)
    return (index) => replicas[index % replicas.length]?.url ?? ''
  const port = await freePort()
  const file = join(temporaryFolder(), 'haproxy.cfg')
  const servers = replicas.map(({ port: own }, index) => `  server s${index} 127.0.0.1:${own}`)
  const lines = [
    'global',
    '  maxconn 8000',
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
    'listen all',
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    ...servers,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child: ChildProcess = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' })
  await opened(Promise.resolve({ close: async () => void child.kill('SIGKILL') }))
  const url = `http://127.0.0.1:${port}`
  await eventually(
    () =>
      fetch(`${url}/livez`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      ),
    'HAProxy',
  )
  return () => url
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** A network between replicas and their store that can hang: connections stay open, and nothing gets through. */
async function network(target: number): Promise<{ url: string; isHanging: boolean; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void (state.isHanging ? undefined : to.write(bytes)))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const state = {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isHanging: false,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return state
}

describe.skipIf(SERVER === undefined)('replicas on one store', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await RedisServer.start('--appendonly', 'yes', '--appendfsync', 'always')
    await opened(Promise.resolve({ close: () => redis.stop() }))
  })
  const storeOf = (name: string): string => `${redis.url}?prefix=${name}`

  test('many requests at once spend what the budget holds, and not one token more', async () => {
    const store = storeOf('burst')
    const upstream = await countingUpstream(20)
    const budget = BUDGETED * TOKENS
    const { id, key } = await makeKey(store, '--budget', `${budget}tokens/day`)
    const replicas = await Promise.all([1, 2, 3].map(() => replica(upstream, store)))
    const urlOf = await balanced(replicas)
    const statuses: number[] = []
    // Those that only wait for others ask again, as clients do, until nobody is told to.
    for (let waiting = BURST; waiting > 0;) {
      // oxlint-disable-next-line no-await-in-loop -- one burst after the other
      const wave = await Promise.all(Array.from({ length: waiting }, (_, index) => ask(urlOf(index), key)))
      statuses.push(...wave)
      const { 429: held = 0, 503: unsure = 0 } = tally(wave)
      waiting = held + unsure
    }
    const counts = tally(statuses)
    expect(counts[200]).toBe(BUDGETED)
    expect(counts[402]).toBe(BURST - BUDGETED)
    expect(upstream.seen).toHaveLength(BUDGETED)
    await eventually(async () => (await accountOf(store, id)).held === 0 || undefined, 'all is settled')
    expect((await accountOf(store, id)).spent).toBe(budget)
  }, 180_000)

  test('what a replica had reserved when it was killed comes back by itself', async () => {
    const store = storeOf('killed')
    const upstream = await opened(startUpstream(() => {}))
    const { id, key } = await makeKey(store, '--budget', `${4 * TOKENS}tokens/day`)
    const doomed = await replica(upstream, store)
    const lost = Array.from({ length: 4 }, () => ask(doomed.url, key).catch(() => 'gone'))
    await eventually(async () => (await accountOf(store, id)).held === 4 || undefined, 'four reservations')
    // It renews them for as long as it lives.
    await sleep(LEASE * 1.5)
    expect((await accountOf(store, id)).held).toBe(4)
    doomed.signal('SIGKILL')
    expect(await Promise.all(lost)).toEqual(['gone', 'gone', 'gone', 'gone'])
    await sleep(LEASE + 500)
    expect(await accountOf(store, id)).toEqual({ spent: 0, held: 0 })
    const working = await countingUpstream(1)
    const survivor = await replica(working, store)
    const statuses = await Promise.all(Array.from({ length: 6 }, () => ask(survivor.url, key)))
    expect(tally(statuses)[200]).toBe(4)
  }, 30_000)

  test('a store that is killed closes budgets, loses nothing, and is used again when it is back', async () => {
    const store = storeOf('store-killed')
    const upstream = await countingUpstream(150)
    const { id, key } = await makeKey(store, '--budget', `${1000 * TOKENS}tokens/day`)
    const { key: free } = await makeKey(store, '--rpm', '3000')
    const replicas = await Promise.all([1, 2, 3].map(() => replica(upstream, store)))
    const urlOf = (index: number): string => replicas[index % 3]?.url ?? ''
    const first = Array.from({ length: 60 }, (_, index) => ask(urlOf(index), key))
    await eventually(() => upstream.seen.length >= 30 || undefined, 'calls under way')
    await redis.kill()
    const during = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(urlOf(index), key)))
    expect(tally(during)).toEqual({ 503: 30 })
    const rates = await Promise.all(Array.from({ length: 9 }, (_, index) => ask(urlOf(index), free)))
    expect(tally(rates)).toEqual({ 200: 9 })
    await redis.start()
    const before = await Promise.all(first)
    const back = await eventually(async () => {
      const statuses = await Promise.all(Array.from({ length: 3 }, (_, index) => ask(urlOf(index), key)))
      return statuses.every((status) => status === 200) ? statuses : undefined
    }, 'recovery')
    const answered = tally([...before, ...back])[200] ?? 0
    expect(tally(before)[200] ?? 0).toBeGreaterThan(0)
    expect(before.every((status) => status === 200 || status === 503)).toBe(true)
    await eventually(async () => (await accountOf(store, id)).held === 0 || undefined, 'all is settled')
    const { spent } = await accountOf(store, id)
    // Probes for the recovery may have been answered by some replicas before all of them were.
    expect(spent).toBeGreaterThanOrEqual(answered * TOKENS)
    expect(spent).toBe((upstream.answered - 9) * TOKENS)
    expect(replicas.map((one) => one.output()).join('')).toContain('budgets are closed')
    expect(replicas.map((one) => one.output()).join('')).toContain('it is back')
  }, 60_000)

  test('a network that hangs costs a moment and no money', async () => {
    const direct = storeOf('hanging')
    const between = await opened(network(redis.port))
    const store = `${between.url}?prefix=hanging`
    const upstream = await countingUpstream(5)
    const { id, key } = await makeKey(direct, '--budget', `${100 * TOKENS}tokens/day`)
    const { key: free } = await makeKey(direct, '--rpm', '300')
    const hydra = await replica(upstream, store)
    expect(await ask(hydra.url, key)).toBe(200)
    between.isHanging = true
    expect(await ask(hydra.url, key)).toBe(503)
    expect(await ask(hydra.url, free)).toBe(200)
    expect((await fetch(`${hydra.url}/readyz`)).status).toBe(503)
    // All replicas share the store: a balancer that took them all out would refuse what they still serve.
    const degraded = await fetch(`${hydra.url}/readyz?store=optional`)
    expect([degraded.status, await degraded.json()]).toMatchObject([200, { status: 'degraded' }])
    between.isHanging = false
    await eventually(async () => (await ask(hydra.url, key)) === 200 || undefined, 'recovery')
    await eventually(async () => (await accountOf(direct, id)).held === 0 || undefined, 'all is settled')
    expect((await accountOf(direct, id)).spent).toBe((upstream.answered - 1) * TOKENS)
  }, 30_000)

  test('an answer that one replica keeps is continued, shown and deleted on another', async () => {
    const store = storeOf('stored')
    const upstream = await countingUpstream(1)
    const { key } = await makeKey(store, '--rpm', '300')
    const { key: other } = await makeKey(store, '--rpm', '300')
    const [one, two] = await Promise.all([replica(upstream, store), replica(upstream, store)])
    const first = await call(one, key, 'POST', '', { input: 'The word is Ahoy' })
    const { id } = (await first.json()) as { id: string }
    const next = { input: 'Which word?', previous_response_id: id }
    await eventually(
      async () => (await call(two, key, 'POST', '', next)).status === 200 || undefined,
      'the other replica continues it',
    )
    expect(JSON.stringify(upstream.seen.at(-1)?.body.messages)).toContain('The word is Ahoy')
    expect((await call(two, key, 'GET', `/${id}`)).status).toBe(200)
    // What one client left is nobody else's.
    expect((await call(two, other, 'GET', `/${id}`)).status).toBe(404)
    expect((await call(two, other, 'POST', '', next)).status).toBe(400)
    expect((await call(two, key, 'DELETE', `/${id}`)).status).toBe(200)
    await eventually(
      async () => (await call(one, key, 'GET', `/${id}`)).status === 404 || undefined,
      'it is gone on both',
    )
  }, 30_000)

  test('a provider’s key that one replica found refused rests on the other, and is in the store by no more than a hash', async () => {
    const store = storeOf('rests')
    const seen: string[] = []
    const upstream = await opened(
      startUpstream(({ headers }, response) => {
        seen.push(headers.authorization ?? '')
        const isRefused = headers.authorization?.includes('canary-a') === true
        response.writeHead(isRefused ? 429 : 200, {
          'content-type': 'application/json',
          ...(isRefused && { 'retry-after': '60' }),
        })
        const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
        response.end(JSON.stringify(isRefused ? { error: { message: 'slow down' } } : { id: 'c', choices }))
      }),
    )
    const env = { KEY_A: 'sk-canary-a-123456', KEY_B: 'sk-canary-b-123456' }
    const keys = [
      { key: 'env:KEY_A', label: 'a' },
      { key: 'env:KEY_B', label: 'b' },
    ]
    const config = configFile({
      upstreams: { up: { url: upstream.url, keys } },
      routes: [{ upstream: 'up', model: 'm' }],
    })
    const start = (): Promise<Hydra> =>
      opened(startHydra(['--config', config, '--store', store, '--log', 'json'], env))
    const { key } = await makeKey(store, '--rpm', '300')
    const [one, two] = await Promise.all([start(), start()])
    expect(await ask(one.url, key)).toBe(200)
    expect(seen.some((sent) => sent.includes('canary-a'))).toBe(true)
    const reader = await openStore(store, { timeout: 2000 })
    await eventually(async () => (await reader.rests.all()).size === 1 || undefined, 'the store knows it')
    expect([...(await reader.rests.all())].join()).toMatch(/^key up a [0-9a-f]{16},\d+$/)
    await reader.close()
    // Others look once in a second.
    await sleep(1200)
    seen.length = 0
    expect([await ask(two.url, key), await ask(two.url, key)]).toEqual([200, 200])
    expect(seen.join()).not.toContain('canary-a')
  }, 30_000)

  test('replicas whose clocks are an hour apart keep one rate', async () => {
    const store = storeOf('clocks')
    const upstream = await countingUpstream(1)
    const { key } = await makeKey(store, '--rpm', '10')
    const shift = 'const now = Date.now; Date.now = () => now() + 3600000'
    const ahead = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` }
    const replicas = await Promise.all([replica(upstream, store), replica(upstream, store, ahead)])
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => ask(replicas[index % 2]?.url ?? '', key)),
    )
    expect(tally(statuses)).toEqual({ 200: 10, 429: 20 })
  }, 30_000)
})
