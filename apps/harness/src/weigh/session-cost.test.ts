import { usageOf } from '@hydra/core'
import type { Tape, TapedExchange } from '@hydra/tape'
import { expect, test } from 'vitest'
import { exchange } from '../../test/exchanges.ts'
import { loadPricesAt } from './load-prices.ts'
import { sessionCost } from './session-cost.ts'

/** An exchange with an upstream that counted its tokens. */
function called(upstream: string, end?: Partial<TapedExchange['end']>): TapedExchange {
  const usage = usageOf({ input_tokens: 1000, output_tokens: 100 })
  const plain = exchange()
  const calls = plain.calls.map((call) => ({
    ...call,
    via: { upstream, dialect: 'openai-chat' as const, model: 'gpt-5.1' },
  }))
  return { ...plain, calls, usage, end: { outcome: 'answered', hashes: {}, ...end } }
}

function tapeOf(...exchanges: readonly TapedExchange[]): Tape {
  const header = { tape: 1, tool: 'x', redaction: 'none', started: '2026-11-18T12:00:00.000Z' } as const
  return { folder: 'x', header, exchanges, problems: [] }
}

test('what was written down when a session was recorded is summed up, and no list is looked at', async () => {
  const costs = [
    called('mine', { cost: { usd: 0.25, savedByCache: 0 } }),
    called('mine', { cost: { usd: 0.5, savedByCache: 0 } }),
  ]
  expect(await sessionCost(tapeOf(...costs), () => expect.fail('lists were asked for'))).toEqual({
    usd: 0.75,
    unpriced: 0,
    unknown: undefined,
  })
})

test('an exchange that a tape has no cost of is priced by the list of the host that it names', async () => {
  const { usd, unpriced } = await sessionCost(tapeOf(called('api.openai.com')), loadPricesAt)
  // 1000 × $1.25 + 100 × $10, per million
  expect([usd?.toFixed(5), unpriced]).toEqual(['0.00225', 0])
})

test('a name of an upstream is no address, and a sum says what is missing in it', async () => {
  const known = called('mine', { cost: { usd: 1, savedByCache: 0 } })
  const untold = called('mine', { cost: { unknown: 'the upstream did not say' } })
  expect(await sessionCost(tapeOf(called('openai')), loadPricesAt)).toEqual({
    usd: undefined,
    unpriced: 1,
    unknown: 'the tape says neither a cost nor an address',
  })
  expect(await sessionCost(tapeOf(known, untold, called('example.com')), loadPricesAt)).toEqual({
    usd: 1,
    unpriced: 2,
    unknown: 'the upstream did not say',
  })
})

test('without the package of the lists that is said', async () => {
  const unknown = '@hydra/prices is not installed'
  const tape = tapeOf(called('api.openai.com'))
  expect(await sessionCost(tape, () => Promise.resolve(unknown))).toEqual({
    usd: undefined,
    unpriced: 1,
    unknown,
  })
})
