import { expect, test } from 'vitest'
import { rightsOf } from './key-rights.ts'

const NOW = Date.UTC(2026, 0, 1)

test('budgets are dollars, or whole tokens', () => {
  const { limits } = rightsOf({ budget: ['2.5usd/week', '500000tokens/month'] }, NOW)
  expect(limits?.budgets).toEqual([
    { per: 'week', unit: 'money', limit: 2_500_000_000 },
    { per: 'month', unit: 'tokens', limit: 500_000 },
  ])
})

test.each(['0.4tokens/day', '1.5tokens/day', '10/day', '10usd', 'usd/day', '10usd/year'])(
  'the budget %s is none',
  (budget) => {
    expect(() => rightsOf({ budget: [budget] }, NOW)).toThrow(`--budget ${budget}: expected such as`)
  },
)

test('a key ends on a day that there is', () => {
  expect(rightsOf({ expires: '2028-02-29' }, NOW).expires).toBe('2028-02-29T00:00:00.000Z')
  expect(rightsOf({ expires: '2027-01-31T12:00:00+02:00' }, NOW).expires).toBe('2027-01-31T10:00:00.000Z')
  for (const expires of ['2027-02-30', '2027-02-29T10:00:00Z', '2027-13-01', 'tomorrow']) {
    expect(() => rightsOf({ expires }, NOW)).toThrow(`--expires ${expires}: expected a date`)
  }
})
