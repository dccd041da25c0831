import { expect, test } from 'vitest'
import { errorResult, toolResult } from './tool-result.ts'

test.each([
  ['a text', 'a text'],
  ['', ''],
  [{ lines: 2 }, '{"lines":2}'],
  [[1, 'two'], '[1,"two"]'],
  [null, 'null'],
  [0, '0'],
  [false, 'false'],
  [undefined, ''],
  [() => 'never called', ''],
])('what a tool gives is a text or becomes JSON: %j', (value, content) => {
  expect(toolResult('a', value)).toEqual({ type: 'tool_result', tool_use_id: 'a', content })
})

test('what cannot be written is thrown, and an error is marked as one', () => {
  expect(() => toolResult('a', 1n)).toThrow('BigInt')
  expect(errorResult('a', 'no')).toEqual({
    type: 'tool_result',
    tool_use_id: 'a',
    content: 'no',
    is_error: true,
  })
})
