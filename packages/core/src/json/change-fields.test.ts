import { expect, test } from 'vitest'
import { changeFields } from './change-fields.ts'
import type { JsonObject } from './json-object.ts'

/** Doubles numbers, drops nulls, leaves the rest. */
function change(_key: string, item: unknown, factor: number): unknown {
  if (item === null) return undefined
  return typeof item === 'number' ? item * factor : item
}

test('an object in which nothing changes is the same object', () => {
  const object = { a: 'x', b: 0, c: { d: 1 } }
  expect(changeFields(object, change, 2)).toBe(object)
})

test('changed fields keep their order, and the input stays as it was', () => {
  const object = Object.freeze({ a: 'x', b: 1, c: null, d: 'y', e: 2 })
  expect(JSON.stringify(changeFields(object, change, 2))).toBe('{"a":"x","b":2,"d":"y","e":4}')
})

test('a field that is dropped first leaves the rest', () => {
  expect(changeFields({ a: null, b: 'x' }, change, 2)).toEqual({ b: 'x' })
  expect(changeFields({ a: null }, change, 2)).toEqual({})
})

test('a field with the name of the prototype is a field like any other', () => {
  const object = JSON.parse('{"__proto__": {"a": 1}, "b": 1, "c": null}') as JsonObject
  const changed = changeFields(object, change, 2)
  expect(JSON.stringify(changed)).toBe('{"__proto__":{"a":1},"b":2}')
  expect(Object.getPrototypeOf(changed)).toBe(Object.prototype)
})
