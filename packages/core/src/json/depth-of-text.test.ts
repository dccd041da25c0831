import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { exceedsDepth } from './depth-of-text.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('brackets count wherever they nest', () => {
  expect(exceedsDepth('[[{"a":[1]}]]', 3)).toBe(true)
  expect(exceedsDepth('[[{"a":[1]}]]', 4)).toBe(false)
  expect(exceedsDepth('[[],[],[],{},{}]', 2)).toBe(false)
})

test('brackets in strings do not count', () => {
  expect(exceedsDepth('{"[[[[[[":"{{{{{{"}', 1)).toBe(false)
  expect(exceedsDepth(JSON.stringify(['"[[[[', '\\', '\\"[[[[', '[[\\\\']), 1)).toBe(false)
})

test('a string that never ends hides the rest', () => {
  expect(exceedsDepth('["[[[[[[[', 2)).toBe(false)
})

test('a million open brackets are found out without overflowing', () => {
  expect(exceedsDepth('['.repeat(1_000_000), 512)).toBe(true)
})

test('long text of quotes and backslashes is scanned, in a time that tests have', () => {
  // Quadratic time would be minutes.
  expect(exceedsDepth(JSON.stringify('"'.repeat(1_000_000)), 512)).toBe(false)
  expect(exceedsDepth(JSON.stringify('\\'.repeat(1_000_000)), 512)).toBe(false)
})

test('the scan agrees with the parsed value', () => {
  const json = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    fc.array(fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', 'a') })),
  )
  fc.assert(
    fc.property(json, fc.nat(8), fc.boolean(), (value, max, indent) => {
      const text = JSON.stringify(value, null, indent ? 2 : 0)
      expect(exceedsDepth(text, max)).toBe(depthOf(JSON.parse(text)) > max)
    }),
  )
})
