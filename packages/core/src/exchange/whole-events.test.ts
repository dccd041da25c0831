import { expect, test } from 'vitest'
import { WholeEvents } from './whole-events.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

test.each([
  ['line feeds', 'data: 1\n\ndata: 2\n\n', 'data: 3\n'],
  ['both characters', 'data: 1\r\n\r\ndata: 2\r\n\r\n', 'data: 3\r\n'],
  ['carriage returns', 'data: 1\r\rdata: 2\r\r', 'data: 3\r'],
])('events of lines that end in %s come whole wherever they are cut', (_end, whole, rest) => {
  const bytes = bytesOf(whole + rest)
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      const events = new WholeEvents()
      const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
      const out = pieces.map((piece) => textOf(events.push(piece)))
      expect(out.join('')).toBe(whole)
      for (const text of out) expect(text).toMatch(/^$|\n\n$|\r\n\r\n$|\r\r$/)
      expect(events.waiting).toBe(rest.length)
      expect(textOf(events.takeRest())).toBe(rest)
    }
  }
})

test('an event whose bytes come one by one is whole with the last of them', () => {
  const events = new WholeEvents()
  const out = [...bytesOf('data: 1\n\n')].map((byte) => textOf(events.push(Uint8Array.of(byte))))
  expect(out.findIndex((text) => text !== '')).toBe('data: 1\n\n'.length - 1)
  expect(out.at(-1)).toBe('data: 1\n\n')
})
