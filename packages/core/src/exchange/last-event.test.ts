import { expect, test } from 'vitest'
import { asText } from '../sse/as-text.ts'
import { lastEvent } from './last-event.ts'

test.each([
  ['data: {"a":"ü"}', 'data: {"a":"ü"}\n\n'],
  ['event: x\ndata: {"a":1}\n', 'event: x\ndata: {"a":1}\n\n'],
  ['data: {"a":1}\r\n', 'data: {"a":1}\r\n\n'],
  ['data: {"a":1}\r', 'data: {"a":1}\r\n\n'],
  ['data: [DONE]', 'data: [DONE]\n\n'],
  ['data: {"a":', ''],
  ['data: [DON', ''],
  ['event: x', ''],
  ['', ''],
])('%j becomes %j', (tail, expected) => {
  expect(asText(lastEvent(new TextEncoder().encode(tail)))).toBe(expected)
})
