import { expect, test } from 'vitest'
import { ReadingPace } from './reading-pace.ts'

/** A pace in a process that did something for so long in the last second. */
function paceAt(busy: number): ReadingPace {
  const looks = [
    { active: 0, idle: 0 },
    { active: busy, idle: 1000 - busy },
  ]
  return new ReadingPace(() => looks.shift() ?? { active: busy, idle: 1000 - busy })
}

test('while exchanges only wait for their upstreams, what was said before is read without long pauses', () => {
  expect(paceAt(0).pauseAfter(4)).toBe(12)
})

test('what is read itself is no load', () => {
  const pace = paceAt(400)
  expect(pace.pauseAfter(400)).toBe(1200)
  expect(pace.pauseAfter(1)).toBe(3)
})

test('beside traffic, reading takes a small part of what the traffic takes', () => {
  expect(paceAt(504).pauseAfter(4)).toBe(200)
  expect(paceAt(104).pauseAfter(4)).toBe(500)
  expect(paceAt(900).pauseAfter(100)).toBe(2000)
})
