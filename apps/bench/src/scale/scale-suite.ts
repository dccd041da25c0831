import { setTimeout as sleep } from 'node:timers/promises'
import { connectRedis, openStore, type RedisClient } from '@hydra/team'
import type { Figure, Suite } from '../suite.ts'
import { startStore } from '../team/store-process.ts'
import { Replica, type SimulatedClient, type Traffic } from './replica.ts'
import { between, type StoreFigures, storeFigures } from './store-figures.ts'

const REPLICAS = 100
const KILLED = 10
const CLIENTS = 200
const REQUESTS = 20_000
const LEASE = 4000
/** Enough for three fifths of what the clients ask for, in tokens; a request reserves 500. */
const BUDGET = 30_000
/** What prompts turn out to be by their estimate: a little less, or a tenth more. */
const SHARES = [0.97, 1.1]
const IDLE_SECONDS = 5

const CLIENT_LIST: readonly SimulatedClient[] = Array.from({ length: CLIENTS }, (_, index) => ({
  id: `client-${index}`,
  limits: {
    requestsPerMinute: 1e6,
    tokensPerMinute: 1e9,
    streams: 1000,
    budgets: [{ per: 'day', unit: 'tokens', limit: BUDGET }],
  },
  usedShare: SHARES[index % SHARES.length] ?? 1,
}))

/** A hundred replicas on one real server: what the store does for a request, and whether the budgets hold. */
export const scaleSuite: Suite = async (progress) => {
  const server = await startStore()
  if (server === undefined) {
    progress('no redis-server or valkey-server here: nothing is measured')
    return []
  }
  const client = await connectRedis(server.url, { timeout: 10_000 })
  try {
    return await simulate(progress, server.url, client)
  } finally {
    await client.close()
    await server.close()
  }
}

async function simulate(
  progress: (what: string) => void,
  url: string,
  client: RedisClient,
): Promise<Figure[]> {
  const traffic: Traffic = {
    store: url,
    lease: LEASE,
    left: REQUESTS,
    clientAt: (index) => CLIENT_LIST[index % CLIENTS] as SimulatedClient,
    tally: { admitted: 0, refused: 0, unsure: 0, lost: 0 },
  }
  progress(`${REPLICAS} replicas`)
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => Replica.start(traffic)))
  progress('with nothing to do')
  const idle = await during(client, () => sleep(IDLE_SECONDS * 1000))
  progress(`${REQUESTS} requests, ${KILLED} replicas are killed in the middle`)
  const busy = await during(client, async () => {
    const running = replicas.map((replica) => replica.run())
    while (traffic.left > REQUESTS / 2) {
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(10)
    }
    await Promise.all(replicas.slice(0, KILLED).map((replica) => replica.kill()))
    await Promise.all(running)
  })
  progress('what the dead had reserved ages out')
  await sleep(LEASE + 1000)
  const budgets = await budgetFigures(url, traffic)
  await Promise.all(replicas.map((replica) => replica.close()))
  return [...storeCosts(busy, traffic), idleFigure(idle), ...budgets]
}

/** What the server did during an action. */
async function during(client: RedisClient, action: () => Promise<void>): Promise<StoreFigures> {
  const before = await storeFigures(client)
  await action()
  return between(before, await storeFigures(client))
}

function storeCosts(busy: StoreFigures, { tally }: Traffic): Figure[] {
  const { admitted, refused, unsure, lost } = tally
  const counts = `${admitted} admitted, ${refused} refused, ${unsure} unsure, ${lost} died with their replica`
  return [
    {
      name: 'CPU of the store per 1,000 requests',
      value: (busy.cpu * 1000) / REQUESTS,
      unit: 'ms',
      detail: counts,
    },
    {
      name: 'calls of the store per request',
      value: busy.calls / REQUESTS,
      unit: 'ratio',
      limit: 2.5,
      detail: 'one before the first byte, one after the last',
    },
    {
      name: 'bytes to the store per request',
      value: busy.bytesIn / REQUESTS / 1024,
      unit: 'KB',
      detail: '',
    },
    {
      name: 'bytes from the store per request',
      value: busy.bytesOut / REQUESTS / 1024,
      unit: 'KB',
      detail: '',
    },
    {
      name: 'memory of the store per client',
      value: busy.memory / CLIENTS / 1024,
      unit: 'KB',
      detail: 'it grows with the replicas that serve a client, not with requests',
    },
  ]
}

function idleFigure(idle: StoreFigures): Figure {
  return {
    name: 'CPU of the store per second, idle',
    value: idle.cpu / IDLE_SECONDS,
    unit: 'ms',
    detail: `${REPLICAS} replicas look for changed keys and rests, ${(idle.calls / IDLE_SECONDS).toFixed(0)} scripts per second`,
  }
}

/** By how much clients spent more than their budgets, as a share of it, and what is still reserved. */
async function budgetFigures(url: string, { tally }: Traffic): Promise<Figure[]> {
  const store = await openStore(url, { timeout: 10_000 })
  const looks = await Promise.all(CLIENT_LIST.map(({ id, limits = {} }) => store.look(id, limits)))
  await store.close()
  const errors = looks.map(({ account }) => Math.max(0, account.spent.day.tokens - BUDGET) / BUDGET)
  const spent = looks.reduce((sum, { account }) => sum + account.spent.day.tokens, 0)
  const held = looks.reduce((sum, { account }) => sum + account.held.count, 0)
  const worst = (share: number): number =>
    Math.max(...errors.filter((_, index) => CLIENT_LIST[index]?.usedShare === share))
  const total = `${spent} tokens by ${tally.admitted - tally.lost} requests of ${CLIENTS} clients`
  return [
    {
      name: 'spent over the budget, estimates hold',
      value: worst(0.97),
      unit: 'ratio',
      limit: 0,
      detail: total,
    },
    {
      name: 'spent over the budget, prompts a tenth longer',
      value: worst(1.1),
      unit: 'ratio',
      limit: 0.1,
      detail: 'what was already running',
    },
    {
      name: 'still reserved after the lease',
      value: held,
      unit: 'ratio',
      limit: 0,
      detail: `${tally.lost} had died`,
    },
  ]
}
