import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { RedisServer, SERVER } from '../../test/redis-server.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'
import { faultOfStore } from './open-store.ts'

const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

async function silentServer(): Promise<string> {
  const server: Server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `redis://user:pass-canary@127.0.0.1:${(server.address() as AddressInfo).port}/3`
}

test('a server that is not there refuses at once, and its name shows no password', async () => {
  const client = await connectRedis('redis://user:pass-canary@127.0.0.1:9')
  closing.push(() => client.close())
  expect(client.address).toBe('redis://127.0.0.1:9')
  await expect(client.call('PING', [])).rejects.toThrow(
    'it cannot be reached: connect ECONNREFUSED 127.0.0.1:9',
  )
})

test('a server that is silent from the beginning holds nobody up', async () => {
  const client = await Promise.race([
    connectRedis(await silentServer()),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5000)),
  ])
  closing.push(() => client?.close())
  await expect(client?.call('PING', [])).rejects.toThrow('it cannot be reached: there is no connection')
})

test.skipIf(SERVER === undefined)(
  'a server that falls silent under many calls is left once, and its end is told in words',
  async () => {
    const server = await RedisServer.start()
    closing.push(() => server.stop())
    const client = await connectRedis(server.url, { timeout: 200 })
    closing.push(() => client.close())
    const warnings: string[] = []
    const listen = ({ name }: Error): void => void warnings.push(name)
    process.on('warning', listen)
    const many = (by = client) =>
      Promise.allSettled(Array.from({ length: 60 }, () => by.call('PING', []))).then((results) =>
        results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'answered')),
      )
    server.pause()
    expect(new Set(await many())).toEqual(new Set(['Error: no answer within 200 ms']))
    server.goOn()
    await expect.poll(() => client.call('PING', []).catch(String), { timeout: 8000 }).toBe('PONG')
    const patient = await connectRedis(server.url, { timeout: 10_000 })
    closing.push(() => patient.close())
    server.pause()
    const waiting = many(patient)
    await server.kill()
    for (const result of await waiting) expect(result).toContain('it cannot be reached')
    process.off('warning', listen)
    expect(warnings).toEqual([])
  },
  15_000,
)

test.skipIf(SERVER === undefined)('the password may be in a file, and is in no message', async () => {
  const server = await RedisServer.start()
  closing.push(() => server.stop())
  const owner = await connectRedis(server.url, { timeout: 5000 })
  await owner.call('CONFIG', ['SET', 'requirepass', 'pass-canary'])
  await owner.close()
  const folder = mkdtempSync(join(tmpdir(), 'hydra-password-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'password')
  writeFileSync(file, 'pass-canary\n')
  const client = await connectRedis(`${server.url}?passwordFile=${file}`, { timeout: 5000 })
  expect(await client.call('PING', [])).toBe('PONG')
  expect(client.address).toBe(server.url)
  await client.close()
  await expect(connectRedis(`${server.url}?passwordFile=${file}2`)).rejects.toThrow(
    `store ${server.url}: the file ${file}2 cannot be read (ENOENT)`,
  )
})

test.skipIf(SERVER === undefined)(
  'all that belongs to an account is in one slot of a cluster',
  async () => {
    const server = await RedisServer.start('--cluster-enabled', 'yes')
    closing.push(() => server.stop())
    const client = await connectRedis(server.url, { timeout: 2000 })
    closing.push(() => client.close())
    await client.call('CLUSTER', ['ADDSLOTSRANGE', 0, 16383])
    await expect.poll(() => client.call('CLUSTER', ['INFO']), { timeout: 8000 }).toContain('cluster_state:ok')
    const store = new RedisStore(client)
    const limits = { requestsPerMinute: 5 }
    const demand = { rate: 1, tokens: 1, money: 0 }
    // A server in cluster mode refuses a script over several slots.
    expect(
      (await store.reserve({ account: 'a', id: 'r', limits, demand, lease: 1000 })).refusal,
    ).toBeUndefined()
    const entry = { model: 'm', agent: 'x', input: 1, output: 1, money: 0 }
    await store.settle({ account: 'a', id: 'r', limits, used: { tokens: 2, money: 0 }, entry })
    await store.renew({ account: 'a', lease: 1000, held: new Map([['s', demand]]) })
    await store.records.put('k', 'v')
    const day = Math.floor(Date.now() / 86_400_000)
    expect(await store.usage({ from: day, to: day })).toHaveLength(1)
  },
  12_000,
)

test.each([
  'memory',
  'file:/tmp/x.db',
  'redis://localhost',
  'rediss://u:p@h:1/2',
  'valkey://h',
  'redis://a:1,b:2,[::1]:3?prefix=x',
  'rediss-cluster://u:p@h',
])('%s is the address of a store', (address) => expect(faultOfStore(address)).toBeUndefined())

test.each([
  '',
  'redis',
  'http://h',
  'redis://',
  'postgres://h',
  'redis://a,,b',
  'redis://a,b/3',
  'redis://a/x',
  'redis://a?prefx=x',
])('%s is none', (address) => {
  expect(faultOfStore(address)).toMatch(/^expected memory/)
})
