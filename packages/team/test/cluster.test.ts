import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectRedis, openStore, type RedisClient, type Store } from '../src/index.ts'
import { RedisServer, SERVER } from './redis-server.ts'

const LAST_SLOT = 16_383
const NODES = 3
const accounts = Array.from({ length: 12 }, (_, index) => `account-${index}`)
const day = Math.floor(Date.now() / 86_400_000)

describe.skipIf(SERVER === undefined)('a cluster of three servers', () => {
  const nodes: RedisServer[] = []
  const clients: RedisClient[] = []
  let store: Store

  beforeAll(async () => {
    while (nodes.length < NODES) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      nodes.push(await RedisServer.start('--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'))
    }
    clients.push(...(await Promise.all(nodes.map(({ url }) => connectRedis(url, { timeout: 5000 })))))
    const size = Math.ceil((LAST_SLOT + 1) / NODES)
    await Promise.all(
      clients.map((client, index) =>
        client.call('CLUSTER', ['ADDSLOTSRANGE', index * size, Math.min(LAST_SLOT, (index + 1) * size - 1)]),
      ),
    )
    for (const { port } of nodes) {
      // oxlint-disable-next-line no-await-in-loop
      await clients[0]?.call('CLUSTER', ['MEET', '127.0.0.1', port])
    }
    const states = async (): Promise<string> =>
      (await Promise.all(clients.map((client) => client.call('CLUSTER', ['INFO'])))).join()
    await vi.waitFor(async () => expect(await states()).not.toContain('cluster_state:fail'), 20_000)
    store = await openStore(`redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?prefix=c`, {
      timeout: 5000,
    })
  }, 40_000)

  afterAll(async () => {
    await store?.close()
    await Promise.all(clients.map((client) => client.close()))
    await Promise.all(nodes.map((node) => node.stop()))
  })

  test('accounts lie on all nodes, and each is counted exactly', async () => {
    const limits = { budgets: [{ per: 'day', unit: 'tokens', limit: 30 } as const] }
    const demand = { rate: 1, tokens: 10, money: 0 }
    const entry = { model: 'm', agent: 'x', input: 6, output: 4, money: 0 }
    await Promise.all(
      accounts.map(async (account) => {
        const ids = Array.from({ length: 8 }, (_, index) => `${account}-${index}`)
        const verdicts = await Promise.all(
          ids.map((id) => store.reserve({ account, id, limits, demand, lease: 60_000 })),
        )
        const passed = ids.filter((_, index) => verdicts[index]?.refusal === undefined)
        expect(passed).toHaveLength(3)
        await store.renew({ account, lease: 60_000, held: new Map(passed.map((id) => [id, demand])) })
        await Promise.all(
          passed.map((id) => store.settle({ account, id, limits, used: { tokens: 10, money: 0 }, entry })),
        )
        const { account: now } = await store.look(account, limits)
        expect([now.spent.day.tokens, now.held.count]).toEqual([30, 0])
      }),
    )
    const rows = await store.usage({ from: day - 1, to: day + 1 })
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(36)
    const sizes = await Promise.all(clients.map((client) => client.call('DBSIZE', [])))
    expect(sizes.every((size) => Number(size) > 0)).toBe(true)
  }, 20_000)

  test('keys, rests and kept texts work there, too', async () => {
    await store.records.put('k', 'v')
    expect(await store.records.all()).toEqual(new Map([['k', 'v']]))
    await store.rests.put('upstream a', 60_000)
    expect([...(await store.rests.all()).keys()]).toEqual(['upstream a'])
    await store.kept?.put('client', new Map([['a', '1']]))
    expect(await store.kept?.get('client', ['a', 'b'])).toEqual(['1', undefined])
    await store.kept?.delete('client', ['a'])
    expect(await store.kept?.get('client', ['a'])).toEqual([undefined])
  })

  test('a node that is gone takes its accounts with it for a while, and nobody waits for it', async () => {
    const hasty = await openStore(`redis-cluster://127.0.0.1:${nodes[0]?.port}?prefix=c`)
    await nodes[1]?.kill()
    const outcomes = await Promise.allSettled(accounts.map((account) => hasty.look(account, {})))
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
    await hasty.close()
    const late = await openStore(`redis-cluster://127.0.0.1:${nodes[0]?.port}?prefix=c`)
    await expect(Promise.all(accounts.map((account) => late.look(account, {})))).rejects.toThrow()
    await late.close()
  }, 20_000)
})
