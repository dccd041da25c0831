import { expect, test } from 'vitest'
import { finishReason } from './conventions.ts'

test.each([
  ['end_turn', 'stop'],
  ['tool_use', 'tool_call'],
  [undefined, 'error'],
  ['soon', 'soon'],
  ['constructor', 'constructor'],
])('the reason %s is told as %s', (reason, word) => {
  expect(finishReason(reason)).toBe(word)
})
