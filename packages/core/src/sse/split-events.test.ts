import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitEvents } from './split-events.ts'

function split(text: string): string[] {
  return splitEvents(Buffer.from(text)).map((piece) => Buffer.from(piece).toString())
}

test.each([
  ['', []],
  ['data: a\n\ndata: b\n\n', ['data: a\n\n', 'data: b\n\n']],
  ['data: a\r\n\r\ndata: b\r\n\r\n', ['data: a\r\n\r\n', 'data: b\r\n\r\n']],
  ['data: a\r\rdata: b', ['data: a\r\r', 'data: b']],
  ['event: x\ndata: a\n\n: alive\n\n', ['event: x\ndata: a\n\n', ': alive\n\n']],
  ['\n\n\ndata: a\n\n\ndata: b\n\n', ['\n\n\ndata: a\n\n', '\ndata: b\n\n']],
])('%j is split behind its blank lines', (text, pieces) => {
  expect(split(text)).toEqual(pieces)
})

test('the pieces of any text put together are the text, and none ends within an event', () => {
  const token = fc.constantFrom('data: x', '\n', '\r', '\r\n', '\n\n', ': c', 'ä')
  fc.assert(
    fc.property(fc.array(token), (tokens) => {
      const pieces = split(tokens.join(''))
      expect(pieces.join('')).toBe(tokens.join(''))
      for (const piece of pieces.slice(0, -1)) expect(piece).toMatch(/(?:\r\n|\r|\n){2}$/)
    }),
  )
})
