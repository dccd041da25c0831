import { expect, test } from 'vitest'
import { isLasting, markLasting } from './lasting.ts'

test('a value is marked and frozen all the way down', () => {
  const tools = markLasting([{ name: 'Read', input_schema: { type: 'object' } }])
  expect(
    [tools, tools[0], tools[0]?.input_schema].map((value) => [isLasting(value), Object.isFrozen(value)]),
  ).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ])
})

test('a value that is only frozen is not marked, nor is anything but an object', () => {
  expect([Object.freeze({}), 'text', null, undefined].some(isLasting)).toBe(false)
})
