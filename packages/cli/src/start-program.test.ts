import { expect, test } from 'vitest'
import { isAtLeast } from './start-program.ts'

test.each([
  ['22.19.0', '22.19.0', true],
  ['22.19.1', '22.19.0', true],
  ['22.20.0', '22.19.5', true],
  ['24.0.0', '22.19.0', true],
  ['22.18.9', '22.19.0', false],
  ['20.20.2', '22.19.0', false],
  ['9.0.0', '22.19.0', false],
])('Node %s where %s is needed: %s', (version, least, expected) => {
  expect(isAtLeast(version, least)).toBe(expected)
})
