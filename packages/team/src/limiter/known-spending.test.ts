import { expect, test } from 'vitest'
import { KnownSpending } from './known-spending.ts'

function spent(tokens: number) {
  const period = { period: 1, tokens, money: 0 }
  return { day: period, week: period, month: period }
}

test('what was booked counts on top of what the store said before', () => {
  const known = new KnownSpending()
  known.saw('a', spent(10))
  const [first, second] = [1, 2].map((tokens) => known.booking('a', { tokens, money: 0 }))
  first?.()
  second?.()
  expect(known.of('a')).toEqual(spent(13))
})

test('what the store said meanwhile may include it, so it is not added', () => {
  const known = new KnownSpending()
  known.saw('a', spent(10))
  const booked = known.booking('a', { tokens: 5, money: 0 })
  known.saw('a', spent(15))
  booked()
  expect(known.of('a')).toEqual(spent(15))
})

test('of an account that was never seen nothing is known', () => {
  const known = new KnownSpending()
  known.booking('a', { tokens: 5, money: 0 })()
  expect(known.of('a')).toBeUndefined()
})
