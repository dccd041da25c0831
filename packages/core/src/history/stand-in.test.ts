import { expect, test } from 'vitest'
import { isStandIn, STAND_IN } from './stand-in.ts'

test.each([
  [STAND_IN, true],
  ['[Tool result missing due to internal error]', true],
  ["[System: Tool execution skipped/interrupted by user. No result provided for tool 'Bash'.]", true],
  ['', false],
  ['3 tool results missing', false],
  [`Tool result missing ${'and much more '.repeat(20)}`, false],
])('%j only says that there is no result: %s', (words, expected) => {
  expect(isStandIn(words)).toBe(expected)
})
