import { expect, test } from 'vitest'
import { short, span, sumOfMoney, totals } from './figures.ts'
import { USUAL_ENTRY } from './usual-entry.ts'

test('a number and its unit stay on one line', () => {
  expect([span(16_000), span(1_500_000), span(90_000_000)]).toEqual([
    '16\u00a0ms',
    '1.5\u00a0s',
    '1\u00a0min 30\u00a0s',
  ])
})

test('a large number takes few characters', () => {
  expect([short(999), short(1_054), short(38_279), short(131_339), short(2_500_000)]).toEqual([
    '999',
    '1.1k',
    '38.3k',
    '131k',
    '2.5M',
  ])
})

test('the cost of a call counts before its tokens are read, and a refused call adds none', () => {
  const unread = { ...USUAL_ENTRY, cost: 0.25, saved: 0.05 }
  const refused = { ...USUAL_ENTRY, state: 'error' } as const
  const unpriced = { ...USUAL_ENTRY, tokens: { input: 1, fromCache: 0, toCache: 0, output: 1, reasoning: 0 } }
  expect(totals([unread, refused])).toMatchObject({ cost: 0.25, known: 0.25, saved: 0.05 })
  expect(totals([unread, unpriced])).toMatchObject({ cost: undefined, known: 0.25 })
})

test('what is known of a sum is its least, and what nobody knows is unknown', () => {
  expect(sumOfMoney({ cost: 0.5, known: 0.5 })).toBe('$0.500')
  expect(sumOfMoney({ cost: undefined, known: 0.5 })).toBe('≥ $0.500')
  expect(sumOfMoney({ cost: undefined, known: 0 })).toBe('unknown')
})
