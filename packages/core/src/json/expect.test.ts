import { expect, test } from 'vitest'
import { expectOptional, expectShallowObject, expectText, unexpectedValue } from './expect.ts'

test('an empty string is quoted, a missing one is nothing', () => {
  expect(() => expectText({ name: '' }, 'name', 'tools[0]')).toThrow(
    'tools[0].name: expected non-empty string, got ""',
  )
  expect(() => expectText({}, 'name', '')).toThrow('name: expected non-empty string, got nothing')
})

test('an optional field may be missing or null, but not of another type', () => {
  const type = 'boolean'
  for (const value of [undefined, null, true])
    expectOptional({ strict: value }, 'strict', { type, path: 'a' })
  expect(() => expectOptional({ strict: 1 }, 'strict', { type, path: 'a' })).toThrow(
    'a.strict: expected boolean, got number',
  )
})

test('a long value is quoted only in part', () => {
  expect(unexpectedValue('role', 'user', 'x'.repeat(1000)).message).toBe(
    `role: expected user, got "${'x'.repeat(40)}…"`,
  )
})

test('an array is no object', () => {
  expect(() => expectShallowObject([], 'input')).toThrow('input: expected object, got array')
})
