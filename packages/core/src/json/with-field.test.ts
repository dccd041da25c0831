import { expect, test } from 'vitest'
import { withField } from './with-field.ts'

test('an unchanged field leaves the object itself', () => {
  const object = { a: 1 }
  expect(withField(object, 'a', 1)).toBe(object)
  expect(withField(object, 'b', undefined)).toBe(object)
})

test('a changed field is changed in a copy', () => {
  const object = { a: 1, b: 2 }
  expect(withField(object, 'a', 3)).toEqual({ a: 3, b: 2 })
  expect(object).toEqual({ a: 1, b: 2 })
})

test('undefined takes the field away', () => {
  expect(Object.keys(withField({ a: null, b: 2 }, 'a', undefined))).toEqual(['b'])
})

test('an own __proto__ key stays a key', () => {
  const object = JSON.parse('{"__proto__":{"polluted":true},"a":null}') as Record<string, unknown>
  const copy = withField(object, 'a', undefined)
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})
