// oxlint-disable no-await-in-loop, complexity, unicorn/consistent-function-scoping -- one step after the other
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Holding } from '../src/account/account.ts'
import { periodAt, periodEnd } from '../src/account/period.ts'
import {
  type Budget,
  connectRedis,
  FileStore,
  type Limits,
  MemoryStore,
  openStore,
  RedisStore,
  type Store,
} from '../src/index.ts'
import { Model } from './model.ts'
import { RedisServer, SERVER } from './redis-server.ts'

type Clock = () => number
interface Kind {
  readonly name: string
  open(clock: Clock): Promise<Store>
  /** The same store as a process sees it that starts anew. */
  reopen?(store: Store, clock: Clock): Promise<Store>
}

const folder = mkdtempSync(join(tmpdir(), 'hydra-store-'))
let redis: RedisServer | undefined
let serial = 0

beforeAll(async () => {
  if (SERVER !== undefined) redis = await RedisServer.start()
})
afterAll(async () => {
  await redis?.stop()
  rmSync(folder, { recursive: true })
})

const memory: Kind = { name: 'memory', open: async (clock) => new MemoryStore(clock) }
const file: Kind = {
  name: 'file',
  open: async (clock) => new FileStore(join(folder, `${(serial += 1)}.db`), clock),
  async reopen(store, clock) {
    await store.close()
    return new FileStore(store.name.replace('file ', ''), clock)
  },
}
const prefixes = new Map<Store, string>()
const shared: Kind = {
  name: 'redis',
  open: (clock) => openRedis(`t${(serial += 1)}`, clock),
  async reopen(store, clock) {
    await store.close()
    return openRedis(prefixes.get(store) as string, clock)
  },
}

async function openRedis(prefix: string, clock: Clock): Promise<Store> {
  // The suite is about what the store does; how long it may take is tested elsewhere.
  const client = await connectRedis((redis as RedisServer).url, { timeout: 5000 })
  const store = new RedisStore(client, { prefix, clock })
  prefixes.set(store, prefix)
  return store
}

const START = Date.UTC(2026, 10, 18, 12)
const NONE: Holding = { rate: 0, tokens: 0, money: 0 }

function tokensPer(per: Budget['per'], limit: number): Limits {
  return { budgets: [{ per, unit: 'tokens', limit }] }
}

describe.each(SERVER === undefined ? [memory, file] : [memory, file, shared])('$name', (kind) => {
  let now = START
  const clock: Clock = () => now
  async function opened(): Promise<Store> {
    now = START
    return kind.open(clock)
  }
  const order = (id: string, limits: Limits, demand: Partial<Holding> = {}) => ({
    account: 'a',
    id,
    limits,
    demand: { ...NONE, ...demand },
    lease: 1000,
  })

  test('of many orders at once exactly those pass that the budget holds', async () => {
    const store = await opened()
    const limits = tokensPer('day', 500)
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, (_, index) => store.reserve(order(`r${index}`, limits, { tokens: 10 }))),
    )
    expect(verdicts.filter(({ refusal }) => refusal === undefined)).toHaveLength(50)
    await store.close()
  })

  test('a refusal by a rate says exactly how long to wait', async () => {
    const store = await opened()
    const limits = { requestsPerMinute: 7 }
    for (let index = 0; index < 7; index += 1) await store.reserve(order(`r${index}`, limits))
    const { refusal } = await store.reserve(order('r', limits))
    expect(refusal).toMatchObject({ kind: 'requests', limit: 7, wait: 8572 })
    now += 8571
    expect((await store.reserve(order('r', limits))).refusal).toBeDefined()
    now += 1
    expect((await store.reserve(order('r', limits))).refusal).toBeUndefined()
    await store.close()
  })

  test('a spent budget names the amount and when it resets, and a new day begins at nothing', async () => {
    const store = await opened()
    const limits = tokensPer('day', 100)
    await store.reserve(order('r', limits, { tokens: 60 }))
    await store.settle({ account: 'a', id: 'r', limits, used: { tokens: 110, money: 5 } })
    const { refusal } = await store.reserve(order('s', limits, { tokens: 1 }))
    expect(refusal).toMatchObject({ kind: 'budget', spent: 110, held: 0, resetsAt: Date.UTC(2026, 10, 19) })
    expect(refusal).not.toHaveProperty('wait')
    now = Date.UTC(2026, 10, 19)
    expect((await store.reserve(order('s', limits, { tokens: 100 }))).refusal).toBeUndefined()
    await store.close()
  })

  test('a clock that goes back over midnight, and forward again, gives nothing out twice', async () => {
    const store = await opened()
    const limits = tokensPer('day', 100)
    const spend = (id: string) => store.settle({ account: 'a', id, limits, used: { tokens: 60, money: 0 } })
    const midnight = Date.UTC(2026, 10, 19)
    now = midnight + 1000
    await spend('1')
    now = midnight - 3_600_000
    await spend('2')
    expect((await store.reserve(order('r', limits, { tokens: 1 }))).refusal).toMatchObject({ spent: 120 })
    now = midnight + 2000
    expect((await store.reserve(order('r', limits, { tokens: 1 }))).refusal).toMatchObject({ spent: 120 })
    now = midnight + 86_400_000
    expect((await store.reserve(order('r', limits, { tokens: 1 }))).refusal).toBeUndefined()
    await store.close()
  })

  test('what is only held by others may be asked for again', async () => {
    const store = await opened()
    const limits = tokensPer('month', 100)
    await store.reserve(order('r', limits, { tokens: 90 }))
    const { refusal } = await store.reserve(order('s', limits, { tokens: 20 }))
    expect(refusal).toMatchObject({ kind: 'budget', spent: 0, held: 90, wait: 5000 })
    await store.close()
  })

  test('a settlement counts once, also after the reservation has aged out', async () => {
    const store = await opened()
    const limits = tokensPer('week', 100)
    await store.reserve(order('r', limits, { tokens: 50 }))
    now += 5000
    const settlement = { account: 'a', id: 'r', limits, used: { tokens: 30, money: 7 } }
    await store.settle(settlement)
    await store.settle(settlement)
    const { account } = await store.look('a', limits)
    expect(account.spent.week).toMatchObject({ tokens: 30, money: 7 })
    expect(account.held).toEqual({ count: 0, rate: 0, tokens: 0, money: 0 })
    await store.close()
  })

  test('a renewed reservation stays, and a lost one comes back', async () => {
    const store = await opened()
    const limits = { streams: 1 }
    await store.reserve(order('r', limits, { tokens: 5 }))
    const held = new Map([['r', { ...NONE, tokens: 5 }]])
    now += 900
    await store.renew({ account: 'a', lease: 1000, held })
    now += 900
    expect((await store.reserve(order('s', limits))).refusal?.kind).toBe('streams')
    now += 900
    await store.renew({ account: 'a', lease: 1000, held })
    expect((await store.look('a', limits)).account.held).toMatchObject({ count: 1, tokens: 5 })
    await store.close()
  })

  test('an empty store takes over what a replica has seen spent', async () => {
    const store = await opened()
    const limits = tokensPer('day', 100)
    const seen = (period: number) => ({ period, tokens: 100, money: 1 })
    const known = { day: seen(periodAt('day', now)), week: seen(0), month: seen(0) }
    expect((await store.reserve({ ...order('r', limits), known })).refusal).toMatchObject({ spent: 100 })
    expect((await store.look('a', limits)).account.spent.week.tokens).toBe(0)
    await store.close()
  })

  test('the books have a row for each day, key, model and agent', async () => {
    const store = await opened()
    const settle = (id: string, model: string) =>
      store.settle({
        account: 'a',
        id,
        limits: {},
        used: { tokens: 5, money: 9 },
        entry: { model, agent: 'x/1', input: 3, output: 2, money: 9 },
      })
    await settle('1', 'm')
    await settle('2', 'm')
    await settle('2', 'm')
    await settle('3', 'n/o')
    now += 86_400_000
    await settle('4', 'm')
    const day = periodAt('day', START)
    const row = { day, account: 'a', model: 'm', agent: 'x/1', requests: 2, input: 6, output: 4, money: 18 }
    const rows = await store.usage({ from: day, to: day })
    expect(rows.toSorted((a, b) => a.model.localeCompare(b.model))).toEqual([
      row,
      { ...row, model: 'n/o', requests: 1, input: 3, output: 2, money: 9 },
    ])
    expect(await store.usage({ from: day, to: day + 1 })).toHaveLength(3)
    await store.close()
  })

  test('records come back, and each change has a new version', async () => {
    const store = await opened()
    const before = await store.records.version()
    await store.records.put('k', 'one')
    await store.records.put('k', 'two')
    expect(await store.records.get('k')).toBe('two')
    expect(await store.records.get('none')).toBeUndefined()
    expect(await store.records.all()).toEqual(new Map([['k', 'two']]))
    expect(await store.records.version()).toBeGreaterThan(before)
    await store.close()
  })

  test('what nobody will settle again is forgotten, and what may come again is not', async () => {
    const store = await opened()
    const settle = (id: string, confirmed: string[] = []) =>
      store.settle({ account: 'a', id, limits: {}, used: { tokens: 1, money: 0 }, confirmed })
    await settle('1')
    await settle('2')
    await settle('3', ['1'])
    await settle('2')
    expect((await store.look('a', {})).account.spent.day.tokens).toBe(3)
    // Nobody does that: it shows that the first one is forgotten.
    await settle('1')
    expect((await store.look('a', {})).account.spent.day.tokens).toBe(4)
    await store.close()
  })

  test('what rests is known with the time that is left, and the longer of two rests counts', async () => {
    const store = await opened()
    await store.rests.put('key a', 5000)
    await store.rests.put('key a', 1000)
    await store.rests.put('upstream b', 2000)
    now += 500
    expect(await store.rests.all()).toEqual(
      new Map([
        ['key a', 4500],
        ['upstream b', 1500],
      ]),
    )
    await store.rests.end('key a')
    now += 1500
    expect(await store.rests.all()).toEqual(new Map())
    await store.close()
  })

  test.skipIf(kind === memory)(
    'kept texts are one client’s, for a day, and the oldest go first',
    async () => {
      const store = await opened()
      const { kept } = store
      if (kept === undefined) throw new Error('this store keeps no texts')
      const large = 'x'.repeat(6 * 1024 * 1024)
      await kept.put('c', new Map([['a', large]]))
      now += 1000
      await kept.put(
        'c',
        new Map([
          ['b', large],
          ['b2', 'é'],
        ]),
      )
      expect(await kept.get('d', ['a'])).toEqual([undefined])
      now += 1000
      await kept.put('c', new Map([['c', large]]))
      expect((await kept.get('c', ['a', 'b', 'b2', 'c', 'd'])).map((text) => text?.length)).toEqual([
        undefined,
        large.length,
        1,
        large.length,
        undefined,
      ])
      await kept.delete('c', ['b'])
      expect(await kept.get('c', ['b', 'b2'])).toEqual([undefined, 'é'])
      now += 86_400_000
      await kept.put('c', new Map([['e', 'new']]))
      expect(await kept.get('c', ['c', 'e'])).toEqual([undefined, 'new'])
      await store.close()
    },
  )

  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('reserve' as const),
        rate: fc.nat(60),
        tokens: fc.nat(40),
        money: fc.nat(40),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        which: fc.nat(30),
        tokens: fc.nat(50),
        money: fc.nat(50),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('renew' as const), which: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        by: fc.oneof(fc.nat(800), fc.nat(40_000), fc.nat(40 * 86_400_000)),
      }),
    },
  )
  const maybe = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: undefined })
  const limitsOf = fc.record({
    requestsPerMinute: maybe(6),
    tokensPerMinute: maybe(120),
    streams: maybe(4),
    budgets: fc.array(
      fc.record({
        per: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        unit: fc.constantFrom('tokens' as const, 'money' as const),
        limit: fc.integer({ min: 0, max: 300 }),
      }),
      { maxLength: 3 },
    ),
  })

  test('it decides as the plain rules do, whatever crashes', async () => {
    const property = fc.asyncProperty(limitsOf, fc.array(step, { maxLength: 60 }), async (limits, steps) => {
      let store = await opened()
      const model = new Model(limits)
      const held = new Map<string, Holding>()
      const settledAt = new Map<string, number>()
      for (const [index, one] of steps.entries()) {
        // A settlement is tried again for minutes, not for hours.
        const ids = [...held.keys()].filter((id) => now - (settledAt.get(id) ?? now) < 3_600_000)
        if (one.kind === 'wait') now += one.by
        // Whoever held something has died: nobody settles or renews it any more.
        if (one.kind === 'crash') {
          held.clear()
          store = (await kind.reopen?.(store, clock)) ?? store
        }
        if (one.kind === 'reserve') {
          const wish = order(`r${index}`, limits, { rate: one.rate, tokens: one.tokens, money: one.money })
          const { refusal } = await store.reserve(wish)
          expect(refusal === undefined).toBe(model.reserve(wish, now))
          if (refusal === undefined) held.set(wish.id, wish.demand)
        }
        if (one.kind === 'settle' && ids.length > 0) {
          const id = ids[one.which % ids.length] ?? ''
          const used = { tokens: one.tokens, money: one.money }
          await store.settle({ account: 'a', id, limits, used })
          if (!settledAt.has(id)) settledAt.set(id, now)
          model.settle({ account: 'a', id, limits, used }, now)
        }
        if (one.kind === 'renew' && ids.length > 0) {
          const id = ids[one.which % ids.length] ?? ''
          const renewal = { account: 'a', lease: 1000, held: new Map([[id, held.get(id) as Holding]]) }
          await store.renew(renewal)
          model.renew(renewal, now)
        }
        const { account } = await store.look('a', limits)
        for (const unit of ['tokens', 'money'] as const) {
          for (const per of ['day', 'week', 'month'] as const) {
            expect(account.spent[per][unit]).toBe(model.spent(per, unit, now))
          }
          expect(account.held[unit]).toBe(model.held(unit, now))
        }
        expect(account.held.count).toBe(model.count(now))
      }
      await store.close()
    })
    await fc.assert(property, { numRuns: kind === memory ? 500 : 100 })
  }, 60_000)
})

test('a database and the files beside it are its owner’s, whatever others may read by default', async () => {
  const path = join(folder, 'rights.db')
  const before = process.umask(0o022)
  const store = new FileStore(path)
  process.umask(before)
  await store.records.put('k', 'v')
  for (const name of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600)
  await store.close()
})

test('a file that is no database is told in a line', async () => {
  const path = join(folder, 'note.txt')
  writeFileSync(path, 'not a database, and longer than the header of one: '.repeat(10))
  await expect(openStore(`file:${path}`)).rejects.toThrow(
    `store file ${path}: it cannot be opened: file is not a database`,
  )
  await expect(openStore(`file:${join(folder, 'no', 'such', 'folder')}`)).rejects.toThrow('ENOENT')
  await expect(openStore('file:')).rejects.toThrow('expected memory, file:PATH')
})

test('a database that another process keeps locked is no store, also for those who only ask how it is', async () => {
  const path = join(folder, 'locked.db')
  const store = new FileStore(path)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await expect(store.ping()).rejects.toThrow('locked')
  other.exec('COMMIT')
  other.close()
  await store.ping()
  expect(await store.rests.all()).toEqual(new Map())
  await store.close()
})

test.skipIf(SERVER === undefined)(
  'a server that answers and takes nothing is no store',
  async () => {
    const server = await RedisServer.start()
    const client = await connectRedis(server.url, { timeout: 5000 })
    const store = new RedisStore(client)
    await store.ping()
    await client.call('CONFIG', ['SET', 'maxmemory', '1'])
    await expect(store.ping()).rejects.toThrow('OOM')
    await client.call('CONFIG', ['SET', 'maxmemory', '0'])
    await client.call('REPLICAOF', ['127.0.0.1', '1'])
    await expect(store.ping()).rejects.toThrow('READONLY')
    await client.call('REPLICAOF', ['NO', 'ONE'])
    await store.ping()
    await store.close()
    await server.stop()
  },
  20_000,
)

test.skipIf(SERVER === undefined)('a server that was emptied keeps books that are found again', async () => {
  const client = await connectRedis((redis as RedisServer).url, { timeout: 5000 })
  const store = new RedisStore(client, { prefix: 'emptied' })
  const day = periodAt('day', Date.now())
  const settle = (id: string): Promise<void> => {
    const entry = { model: 'm', agent: 'x', input: 1, output: 1, money: 0 }
    return store.settle({ account: 'a', id, limits: {}, used: { tokens: 2, money: 0 }, entry })
  }
  await settle('1')
  await client.call('FLUSHALL', [])
  await settle('2')
  expect(await store.usage({ from: day, to: day + 1 })).toMatchObject([{ account: 'a', requests: 1 }])
  await store.close()
})

test('periods begin at midnight UTC, on Mondays and on the first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom('day', 'week', 'month'), (at, per) => {
      const end = periodEnd(per, at)
      expect(periodAt(per, end - 1)).toBe(periodAt(per, at))
      expect(periodAt(per, end)).toBe(periodAt(per, at) + 1)
      const date = new Date(end)
      expect(date.toISOString()).toContain('T00:00:00.000Z')
      if (per === 'week') expect(date.getUTCDay()).toBe(1)
      if (per === 'month') expect(date.getUTCDate()).toBe(1)
    }),
  )
})

test.skipIf(SERVER === undefined)(
  'by default the server’s clock counts, whatever the replica’s says',
  async () => {
    const client = await connectRedis((redis as RedisServer).url, { timeout: 5000 })
    const store = new RedisStore(client, { prefix: 'clock' })
    const before = Date.now()
    const { now } = await store.look('a', {})
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
    await store.close()
  },
)
