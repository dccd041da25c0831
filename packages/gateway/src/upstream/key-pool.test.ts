import { HubError, profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { Secret } from '../secret.ts'
import { KeyPool } from './key-pool.ts'
import type { UpstreamRests } from './upstream-rests.ts'

function pooled(weights: Record<string, number>): { pool: KeyPool; at: (now: number) => void } {
  let clock = 0
  const keys = Object.entries(weights).map(([label, weight]) => ({
    label,
    weight,
    key: new Secret(`secret-of-${label}`),
  }))
  const profile = profiles.generic
  const dialect = 'any'
  return {
    pool: new KeyPool('up', { dialect, url: 'http://x', profile, keys }, () => clock),
    at: (now) => {
      clock = now
    },
  }
}

function turns(pool: KeyPool, count: number): string {
  return Array.from({ length: count }, () => pool.take().label).join('')
}

test('keys take turns by their weights', () => {
  const { pool } = pooled({ a: 3, b: 1 })
  expect(turns(pool, 8)).toBe('aabaaaba')
  expect(pool.take().upstream.key?.reveal()).toMatch(/^secret-of-/)
})

test('a key that was refused for its rate rests for as long as the upstream says', () => {
  const { pool, at } = pooled({ a: 1, b: 1 })
  const first = pool.take()
  expect(pool.failed(first, new HubError('rate_limit_error', '', { retryAfter: 7 }))).toBeUndefined()
  expect(turns(pool, 3)).toBe('bbb')
  at(6999)
  expect(turns(pool, 1)).toBe('b')
  at(7000)
  expect(turns(pool, 4)).toContain('a')
})

test('a key whose upstream says that it need not rest is left alone for a second, so that no request goes round in circles', () => {
  const { pool, at } = pooled({ a: 1, b: 1 })
  const soon = new HubError('rate_limit_error', '', { retryAfter: 0 })
  expect(pool.failed(pool.take(), soon)).toBeUndefined()
  expect(pool.failed(pool.take(), soon)).toBe(soon)
  expect(() => pool.take()).toThrow(expect.objectContaining({ status: 429, retryAfter: 1 }))
  at(1000)
  expect(turns(pool, 2)).toMatch(/ab|ba/)
})

test('a key whose upstream says years is asked again on the next day', () => {
  const { pool, at } = pooled({ a: 1 })
  pool.failed(pool.take(), new HubError('rate_limit_error', '', { retryAfter: 1e12 }))
  at(86_399_999)
  expect(() => pool.take()).toThrow()
  at(86_400_000)
  expect(turns(pool, 1)).toBe('a')
})

test('a key that is not valid rests for long, and is not tried for ever', () => {
  const { pool, at } = pooled({ a: 1, b: 1 })
  pool.failed(pool.take(), new HubError('authentication_error', ''))
  at(599_999)
  expect(turns(pool, 3)).toBe('bbb')
  at(600_000)
  expect(turns(pool, 2)).toContain('a')
})

test('when all rest, the client is told when the first comes back', () => {
  const { pool } = pooled({ a: 1, b: 1 })
  expect(pool.failed(pool.take(), new HubError('rate_limit_error', '', { retryAfter: 9 }))).toBeUndefined()
  const told = pool.failed(pool.take(), new HubError('billing_error', ''))
  expect(told).toMatchObject({ status: 429, retryAfter: 9 })
  expect(() => pool.take()).toThrow(expect.objectContaining({ status: 429, retryAfter: 9 }))
})

test('what is not the key’s fault leaves it in its turn', () => {
  const { pool } = pooled({ a: 1 })
  const fault = new HubError('api_error', '')
  expect(pool.failed(pool.take(), fault)).toBe(fault)
  expect(turns(pool, 1)).toBe('a')
})

test('a key that was refused in one gateway rests in the others, and its name is no secret', () => {
  const until = new Map<string, number>()
  const rests: UpstreamRests = {
    restOf: (name) => until.get(name) ?? 0,
    rest: (name, milliseconds) => void until.set(name, milliseconds),
    works() {},
  }
  const pool = (secret: string): KeyPool => {
    const keys = [{ label: 'a', key: new Secret(secret) }]
    return new KeyPool(
      'up',
      { dialect: 'any', url: 'http://x', profile: profiles.generic, keys },
      () => 0,
      rests,
    )
  }
  const one = pool('canary-of-a')
  one.failed(one.take(), new HubError('rate_limit_error', '', { retryAfter: 9 }))
  expect(() => pool('canary-of-a').take()).toThrow(expect.objectContaining({ retryAfter: 9 }))
  expect(turns(pool('its-successor'), 1)).toBe('a')
  expect([...until.keys()].join()).toMatch(/^key up a [0-9a-f]{16}$/)
})

test('where all keys are of no use, the client is told why', () => {
  const { pool } = pooled({ a: 1, b: 1 })
  const refusal = new HubError('authentication_error', 'wrong key')
  expect(pool.failed(pool.take(), refusal)).toBeUndefined()
  expect(pool.failed(pool.take(), refusal)).toBe(refusal)
})
