import { expect, test } from 'vitest'
import { DEFAULT_BREAKER } from '../options.ts'
import { Breaker } from './breaker.ts'
import type { UpstreamRests } from './upstream-rests.ts'

/** A breaker, and a clock that is set by hand. */
function breaking(): { breaker: Breaker; at: (now: number) => void } {
  let clock = 0
  return {
    breaker: new Breaker(DEFAULT_BREAKER, () => clock),
    at: (now) => {
      clock = now
    },
  }
}

function times(count: number, action: () => void): void {
  for (let index = 0; index < count; index += 1) action()
}

test('five failures in a row open it for its rest', () => {
  const { breaker, at } = breaking()
  times(4, () => breaker.failed())
  expect(breaker.enter()).toBe(0)
  breaker.failed()
  expect(breaker.isOpen).toBe(true)
  expect(breaker.enter()).toBe(30_000)
  at(29_000)
  expect(breaker.enter()).toBe(1000)
})

test('one success between failures keeps it closed', () => {
  const { breaker } = breaking()
  times(4, () => breaker.failed())
  breaker.succeeded()
  times(4, () => breaker.failed())
  expect(breaker.isOpen).toBe(false)
})

test('half of at least twenty calls in a window open it', () => {
  const { breaker } = breaking()
  times(9, () => {
    breaker.failed()
    breaker.succeeded()
  })
  breaker.succeeded()
  expect(breaker.isOpen).toBe(false)
  breaker.failed()
  expect(breaker.enter()).toBeGreaterThan(0)
})

test('what happened in an earlier window is forgotten', () => {
  const { breaker, at } = breaking()
  times(9, () => {
    breaker.failed()
    breaker.succeeded()
  })
  at(30_000)
  breaker.succeeded()
  breaker.failed()
  expect(breaker.isOpen).toBe(false)
})

test('after the rest one call probes, and the others wait for it', () => {
  const { breaker, at } = breaking()
  times(5, () => breaker.failed())
  at(30_000)
  expect(breaker.enter()).toBe(0)
  expect(breaker.enter()).toBeGreaterThan(0)
  breaker.succeeded()
  expect(breaker.isOpen).toBe(false)
  expect(breaker.enter()).toBe(0)
})

test('a probe that fails opens it again, one that was given up lets the next one probe', () => {
  const { breaker, at } = breaking()
  times(5, () => breaker.failed())
  at(30_000)
  expect(breaker.enter()).toBe(0)
  breaker.failed()
  expect(breaker.enter()).toBe(30_000)
  at(60_000)
  expect(breaker.enter()).toBe(0)
  breaker.abandoned()
  expect(breaker.enter()).toBe(0)
})

test('a call from before the rest does not make it longer', () => {
  const { breaker, at } = breaking()
  times(5, () => breaker.failed())
  at(10_000)
  breaker.failed()
  expect(breaker.enter()).toBe(20_000)
})

/** Two breakers of one upstream in two gateways. */
function sharing(): { one: Breaker; other: Breaker; at: (now: number) => void } {
  let clock = 0
  const until = new Map<string, number>()
  const rests: UpstreamRests = {
    restOf: (name) => Math.max(0, (until.get(name) ?? 0) - clock),
    rest: (name, milliseconds) => void until.set(name, clock + milliseconds),
    works: (name) => void until.delete(name),
  }
  const breaker = (): Breaker => new Breaker(DEFAULT_BREAKER, () => clock, { name: 'up', rests })
  return {
    one: breaker(),
    other: breaker(),
    at: (now) => {
      clock = now
    },
  }
}

test('what one gateway has found broken is left alone by the other, and probed by one call', () => {
  const { one, other, at } = sharing()
  times(5, () => one.failed())
  expect(other.enter()).toBe(30_000)
  at(30_000)
  expect(other.enter()).toBe(0)
  expect(other.enter()).toBeGreaterThan(0)
  other.failed()
  expect(one.enter()).toBe(30_000)
})

test('a probe that works in one gateway closes the breaker of the other', () => {
  const { one, other, at } = sharing()
  times(5, () => one.failed())
  at(30_000)
  expect(one.enter()).toBe(0)
  one.failed()
  expect(other.enter()).toBe(30_000)
  at(60_000)
  expect(one.enter()).toBe(0)
  one.succeeded()
  at(59_000)
  expect(other.enter()).toBe(0)
  expect(other.isOpen).toBe(false)
})
