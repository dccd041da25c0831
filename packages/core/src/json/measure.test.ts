import { expect, test } from 'vitest'
import { isWellFormedJson, MAX_JSON_DEPTH, nestsTooDeep } from './measure.ts'

function nested(depth: number): unknown {
  let value: unknown = 'core'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

test('the greatest depth is allowed and one more is not', () => {
  expect(nestsTooDeep(nested(MAX_JSON_DEPTH))).toBe(false)
  expect(nestsTooDeep(nested(MAX_JSON_DEPTH + 1))).toBe(true)
})

test('a depth that would overflow the stack is measured', () => {
  expect(nestsTooDeep(nested(1_000_000))).toBe(true)
  expect(isWellFormedJson(nested(1_000_000))).toBe(true)
})

test('width is not depth', () => {
  expect(nestsTooDeep(Array.from({ length: 10_000 }, () => [{}]))).toBe(false)
})

test('a value that contains itself is too deep', () => {
  const value: Record<string, unknown> = {}
  value['left'] = value
  value['right'] = value
  expect(nestsTooDeep(value)).toBe(true)
})

test('scalars have no depth', () => {
  expect([null, 1, 'a', true, undefined].map(nestsTooDeep)).toEqual([false, false, false, false, false])
})

test('an unpaired surrogate is found in values, keys and items', () => {
  expect(isWellFormedJson('\uD800')).toBe(false)
  expect(isWellFormedJson({ a: [{ b: 'x\uDC00' }] })).toBe(false)
  expect(isWellFormedJson({ '\uD83D': 1 })).toBe(false)
  expect(isWellFormedJson(['fine', ['\uD83D']])).toBe(false)
})

test('a surrogate pair is well-formed', () => {
  expect(isWellFormedJson({ '😀': ['😀', null, 1, true] })).toBe(true)
})
