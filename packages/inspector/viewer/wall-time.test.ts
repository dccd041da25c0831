import { expect, test } from 'vitest'
import { wallTime } from './wall-time.ts'

test('what runs at the same time counts once', () => {
  const agent = { from: 100, took: 600 }
  const inIt = { from: 200, took: 300 }
  const longer = { from: 600, took: 200 }
  const later = { from: 1000, took: 50 }
  expect(wallTime([longer, agent, later, inIt])).toBe(750)
  expect(wallTime([])).toBe(0)
})
