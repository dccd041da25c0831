import { expect, test } from 'vitest'
import { formatEvent } from './format.ts'

test('an event is its name, one line of data and a blank line', () => {
  expect(formatEvent('ping', '{"type":"ping"}')).toBe('event: ping\ndata: {"type":"ping"}\n\n')
})
