import { expect, test } from 'vitest'
import { parseEvents } from './parse-events.ts'

test('a whole text is read as the standard says, with its stray lines beside it', () => {
  const text = '\uFEFF: hi\r\n\r\nevent: a\r\ndata: 1\r\ndata: 2\r\n\r\nerror: {"a":1}\n\noops\n\ndata:3'
  expect(parseEvents(text)).toEqual({
    events: [
      { name: 'a', data: '1\n2' },
      { name: undefined, data: '3' },
    ],
    strayLines: ['error: {"a":1}', 'oops'],
  })
})

test('a text that is no event stream is not read without end, and no error', () => {
  const { events, strayLines } = parseEvents(`data: 1\n\n${'oops\n'.repeat(5000)}\ndata: 2\n\n`)
  expect([events.length, strayLines.length]).toEqual([1, 1000])
})
