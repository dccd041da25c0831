import { expect, test } from 'vitest'
import { HOPS_HEADER, hopsWith, refuseLoop } from './hops.ts'

const through = (...hops: readonly string[]): Record<string, string> => ({ [HOPS_HEADER]: hops.join(',') })

test('a call names the gateways behind it and this one', () => {
  expect(hopsWith({}, 'me')).toBe('me')
  expect(hopsWith(through('a', 'b'), 'me')).toBe('a, b, me')
  expect(hopsWith(through('a', '', 'b c', 'ü', 'x'.repeat(65)), 'me')).toBe('a, me')
})

test('a request that comes back is refused, one from others is not', () => {
  expect(refuseLoop({}, 'me')).toBeUndefined()
  expect(refuseLoop(through('a', 'b'), 'me')).toBeUndefined()
  expect(refuseLoop(through('a', 'me', 'b'), 'me')).toMatchObject({ status: 508, shouldRetry: false })
})

test('a request through very many gateways is refused', () => {
  const hops = Array.from({ length: 16 }, (_, index) => `hop-${index}`)
  expect(refuseLoop(through(...hops.slice(1)), 'me')).toBeUndefined()
  expect(refuseLoop(through(...hops), 'me')?.message).toContain('through 16 gateways')
})
