import type { ClientIdentity, ExchangeReport } from '@hydra/gateway'
import { afterEach, expect, test } from 'vitest'
import {
  DOLLAR,
  MemoryStore,
  type Order,
  type Settlement,
  TeamLimiter,
  type TeamLimiterOptions,
  type Verdict,
} from '../src/index.ts'

/** A store that can be taken away, and that may do what it is asked although nobody hears of it. */
class FlakyStore extends MemoryStore {
  isGone = false
  losesAnswers = false
  /** It answers whoever asks how it is, and takes nothing. */
  isReadOnly = false
  pings = 0
  readonly settled: Settlement[] = []

  override async reserve(order: Order): Promise<Verdict> {
    if (this.isGone || this.isReadOnly) throw new Error('gone')
    const verdict = await super.reserve(order)
    if (this.losesAnswers) throw new Error('Command timed out')
    return verdict
  }

  override async settle(settlement: Settlement): Promise<void> {
    if (this.isGone || this.isReadOnly) throw new Error('gone')
    this.settled.push(settlement)
    await super.settle(settlement)
    if (this.losesAnswers) throw new Error('Command timed out')
  }

  override async ping(): Promise<void> {
    this.pings += 1
    if (this.isReadOnly) return
    if (this.isGone || this.losesAnswers) throw new Error('gone')
  }
}

const closing: TeamLimiter[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((limiter) => limiter.close()))
})

function limiterOf(options: TeamLimiterOptions): TeamLimiter {
  const limiter = new TeamLimiter(options)
  closing.push(limiter)
  return limiter
}

const DEMAND = { model: 'c', upstreamModel: 'm', upstream: 'up', input: 10, maxOutput: 90 }
const REPORT = {
  upstreamModel: 'm',
  upstream: 'up',
  agent: { kind: 'client', name: 'x/1' },
} as ExchangeReport
const budget = (limit: number): ClientIdentity => ({
  id: 'a',
  limits: { budgets: [{ per: 'month', unit: 'tokens', limit }] },
})
const rate = (requestsPerMinute: number): ClientIdentity => ({ id: 'a', limits: { requestsPerMinute } })

test('what was reserved is settled by what was used', async () => {
  const store = new FlakyStore()
  const limiter = limiterOf({ store })
  const client = budget(200)
  const first = await limiter.admit(client, DEMAND)
  const second = await limiter.admit(client, DEMAND)
  const third = await limiter.admit(client, DEMAND)
  expect([first.refusal, second.refusal]).toEqual([undefined, undefined])
  expect(third.refusal).toMatchObject({ status: 429, retryAfter: 5 })
  expect(third.refusal?.message).toBe(
    'the budget of this key is 200 tokens per month: 0 tokens spent, 200 tokens held by requests under way, and this request may need 100 tokens; try again in 5 s',
  )
  first.settle?.({ input: 10, output: 5 }, REPORT)
  second.settle?.({ input: 10, output: 5 }, REPORT)
  expect((await limiter.admit(client, DEMAND)).refusal).toBeUndefined()
})

test('a spent budget is told with its amount and its reset, and not to be tried again', async () => {
  const limiter = limiterOf({ store: new MemoryStore(() => Date.UTC(2026, 10, 18)), priceOf: () => 2.5 })
  const client: ClientIdentity = {
    id: 'a',
    limits: { budgets: [{ per: 'day', unit: 'money', limit: 2 * DOLLAR }] },
  }
  const { refusal } = await limiter.admit(client, DEMAND)
  expect(refusal).toMatchObject({ kind: 'billing_error', status: 402, shouldRetry: false })
  expect(refusal?.message).toBe(
    'the budget of this key is $2.00 per day: $0.00 spent, and this request may need $2.50; it begins anew at 2026-11-19T00:00:00.000Z',
  )
})

test('what is reserved in dollars is the price of the dearest target, and each of them needs one', async () => {
  const prices: Record<string, number | undefined> = { cheap: 0.1, dear: 3 }
  const limiter = limiterOf({ store: new MemoryStore(), priceOf: (_tokens, { model }) => prices[model] })
  const client: ClientIdentity = {
    id: 'a',
    limits: { budgets: [{ per: 'day', unit: 'money', limit: 2 * DOLLAR }] },
  }
  const to = (...names: string[]) => {
    const [first = '', ...others] = names
    const fallbacks = others.map((upstreamModel) => ({ upstreamModel, upstream: 'other' }))
    return limiter.admit(client, { ...DEMAND, upstreamModel: first, fallbacks })
  }
  expect((await to('cheap')).refusal).toBeUndefined()
  expect((await to('cheap', 'dear')).refusal?.message).toContain('this request may need $3.00')
  const unpriced = await to('cheap', 'unknown')
  expect(unpriced.refusal?.status).toBe(403)
  expect(unpriced.refusal?.message).toContain('no price is known for unknown at the upstream other')
})

test('what is reserved is as much as all answers may have that a request asks for', async () => {
  const limiter = limiterOf({ store: new MemoryStore() })
  const { refusal } = await limiter.admit(budget(300), { ...DEMAND, answers: 4 })
  expect(refusal?.message).toContain('this request may need 370 tokens')
  expect((await limiter.admit(budget(400), { ...DEMAND, answers: 4 })).refusal).toBeUndefined()
})

test('the headers say what is left', async () => {
  const limiter = limiterOf({ store: new MemoryStore(() => 60_000) })
  const { limits } = await limiter.admit(rate(4), DEMAND)
  expect(limits?.requests).toEqual({
    limit: 4,
    remaining: 3,
    resetsIn: 15_000,
    resetsAt: '1970-01-01T00:01:15.000Z',
  })
  expect(limits?.tokens).toBeUndefined()
})

test('while the store is gone rates go on with a share, budgets are closed, and it is said once', async () => {
  const store = new FlakyStore()
  const told: string[] = []
  const limiter = limiterOf({ store, replicas: 2, onProblem: (message) => told.push(message) })
  store.isGone = true
  const admissions = await Promise.all(Array.from({ length: 6 }, () => limiter.admit(rate(6), DEMAND)))
  expect(admissions.filter(({ refusal }) => refusal === undefined)).toHaveLength(3)
  expect((await limiter.admit(budget(1000), DEMAND)).refusal).toMatchObject({ status: 503, retryAfter: 2 })
  expect(limiter.isSure).toBe(false)
  expect(told).toEqual([
    'store memory: gone; rates go on with a local share, budgets are closed, revoked keys stay revoked',
  ])
})

test('whoever wants budgets to be open without the store can have that', async () => {
  const store = new FlakyStore()
  const limiter = limiterOf({ store, budgetsWithoutStore: 'open' })
  store.isGone = true
  expect((await limiter.admit(budget(1), DEMAND)).refusal).toBeUndefined()
})

test('a store that is back is told what was used meanwhile, once', async () => {
  const store = new FlakyStore()
  const told: string[] = []
  const limiter = limiterOf({ store, onProblem: (message) => told.push(message) })
  const admission = await limiter.admit(budget(1000), DEMAND)
  store.isGone = true
  admission.settle?.({ input: 10, output: 5 }, REPORT)
  await expect.poll(() => limiter.isSure).toBe(false)
  store.isGone = false
  await expect.poll(() => limiter.isSure, { timeout: 2000 }).toBe(true)
  await expect.poll(() => store.settled).toHaveLength(1)
  const { account } = await store.look('a', {})
  expect(account.spent.month.tokens).toBe(15)
  expect(account.held.count).toBe(0)
  expect(told.at(-1)).toBe('store memory: it is back')
})

test('nothing is spent twice when answers are lost, and nothing stays reserved', async () => {
  const store = new FlakyStore()
  const limiter = limiterOf({ store })
  const client = budget(1000)
  const one = await limiter.admit(client, DEMAND)
  store.losesAnswers = true
  one.settle?.({ input: 10, output: 5 }, REPORT)
  const unsure = await limiter.admit(client, DEMAND)
  expect(unsure.refusal?.status).toBe(503)
  unsure.settle?.({ input: 0, output: 0 }, REPORT)
  store.losesAnswers = false
  await expect.poll(async () => (await store.look('a', {})).account.held.count, { timeout: 2000 }).toBe(0)
  await expect.poll(() => limiter.isSure, { timeout: 2000 }).toBe(true)
  expect((await store.look('a', {})).account.spent.month.tokens).toBe(15)
})

test('a reservation of a long stream is renewed, that of a replica that died is not', async () => {
  const store = new MemoryStore()
  const alive = limiterOf({ store, lease: 300 })
  const client: ClientIdentity = { id: 'a', limits: { streams: 2 } }
  await alive.admit(client, DEMAND)
  const dead = new TeamLimiter({ store, lease: 300 })
  await dead.admit(client, DEMAND)
  await dead.close()
  expect((await alive.admit(client, DEMAND)).refusal?.status).toBe(429)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect((await store.look('a', {})).account.held.count).toBe(1)
  expect((await alive.admit(client, DEMAND)).refusal).toBeUndefined()
})

test('what the store has not decided yet, or has refused, is not reserved by a renewal', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  let orders = 0
  class SlowStore extends MemoryStore {
    renewals = 0

    override async reserve(order: Order): Promise<Verdict> {
      orders += 1
      if (orders === 1) return super.reserve(order)
      await begun
      const verdict = await super.reserve(order)
      await answered
      return verdict
    }

    override async renew(renewal: Parameters<MemoryStore['renew']>[0]): Promise<void> {
      this.renewals += 1
      await super.renew(renewal)
    }
  }
  const store = new SlowStore()
  const limiter = limiterOf({ store, lease: 300 })
  const client = budget(150)
  await limiter.admit(client, DEMAND)
  const second = limiter.admit(client, DEMAND)
  await expect.poll(() => store.renewals).toBeGreaterThan(0)
  begin()
  const before = store.renewals
  await expect.poll(() => store.renewals).toBeGreaterThan(before)
  expect((await store.look('a', {})).account.held.count).toBe(1)
  answer()
  expect((await second).refusal?.status).toBe(429)
})

test('a store that lost everything does not give out again what a replica has seen spent', async () => {
  let store = new MemoryStore()
  const proxied = { ...bound(() => store), name: 'x', records: store.records, rests: store.rests }
  const limiter = limiterOf({ store: proxied })
  const client = budget(150)
  const admission = await limiter.admit(client, DEMAND)
  admission.settle?.({ input: 60, output: 60 }, REPORT)
  await limiter.admit(client, { ...DEMAND, maxOutput: 1 })
  store = new MemoryStore()
  expect((await limiter.admit(client, DEMAND)).refusal).toMatchObject({ kind: 'billing_error' })
})

test('nor what a replica has had booked since it last asked', async () => {
  let store = new MemoryStore()
  const proxied = { ...bound(() => store), name: 'x', records: store.records, rests: store.rests }
  const limiter = limiterOf({ store: proxied })
  const client = budget(150)
  const admission = await limiter.admit(client, DEMAND)
  admission.settle?.({ input: 60, output: 60 }, REPORT)
  await expect.poll(() => limiter.waiting).toBe(0)
  store = new MemoryStore()
  expect((await limiter.admit(client, DEMAND)).refusal?.message).toContain('120 tokens spent')
  expect((await store.look('a', {})).account.spent.month.tokens).toBe(120)
})

/** A store whose inside can be exchanged. */
function bound(now: () => MemoryStore) {
  return {
    reserve: (order: Order) => now().reserve(order),
    settle: (settlement: Settlement) => now().settle(settlement),
    renew: (renewal: Parameters<MemoryStore['renew']>[0]) => now().renew(renewal),
    look: (account: string) => now().look(account, {}),
    usage: (days: Parameters<MemoryStore['usage']>[0]) => now().usage(days),
    ping: () => now().ping(),
    close: () => now().close(),
  }
}

test('a key without limits costs no reservation, but is in the books', async () => {
  const store = new FlakyStore()
  const limiter = limiterOf({ store, priceOf: () => 0.000_001 })
  const admission = await limiter.admit({ id: 'a' }, DEMAND)
  expect(admission.limits).toBeUndefined()
  admission.settle?.({ input: 3, output: 4 }, REPORT)
  const today = Math.floor(Date.now() / 86_400_000)
  await expect
    .poll(() => store.usage({ from: today - 1, to: today + 1 }))
    .toMatchObject([
      { account: 'a', model: 'm', agent: 'x/1', requests: 1, input: 3, output: 4, money: 1000 },
    ])
})

test('a store that answers and takes nothing is not asked in a circle', async () => {
  const store = new FlakyStore()
  const told: string[] = []
  const limiter = limiterOf({ store, onProblem: (message) => told.push(message) })
  const admission = await limiter.admit(budget(1000), DEMAND)
  store.isReadOnly = true
  admission.settle?.({ input: 10, output: 5 }, REPORT)
  await new Promise((resolve) => setTimeout(resolve, 400))
  // Each time it is back what waits is sent, and lost again: after 0, 50, 150 and 350 ms.
  expect(store.pings).toBeLessThanOrEqual(5)
  expect(told.length).toBeLessThanOrEqual(10)
  store.isReadOnly = false
  await expect
    .poll(async () => (await store.look('a', {})).account.spent.month.tokens, { timeout: 3000 })
    .toBe(15)
})

test.each([
  [{ input: 1.5, output: 2.25 }, 5],
  [{ input: 1.5e30, output: -7 }, 1_000_000_000],
  [{ input: NaN, output: 3 }, 3],
])('what an upstream says it has used is booked as a whole number: %j', async (used, booked) => {
  const store = new FlakyStore()
  const limiter = limiterOf({ store })
  const admission = await limiter.admit(budget(1e12), DEMAND)
  admission.settle?.(used, REPORT)
  expect((await store.look('a', {})).account.spent.month.tokens).toBe(booked)
  const [{ entry } = {}] = store.settled
  expect((entry?.input ?? 0) + (entry?.output ?? 0)).toBe(booked)
})
