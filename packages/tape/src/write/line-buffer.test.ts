import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineBuffer } from './line-buffer.ts'

function contentOf(lines: LineBuffer): string {
  return Buffer.from(lines.content()).toString('utf8')
}

test('any numbers stand at the beginning of a line as JSON writes them', () => {
  const number = fc.oneof(
    fc.integer({ min: -2_000, max: 2_000 }),
    fc.maxSafeInteger(),
    fc.constantFrom(0, 9, 10, -10, 999_999_999, 1_000_000_000, -1_000_000_000, 2 ** 31, -(2 ** 31)),
  )
  fc.assert(
    fc.property(number, number, (line, time) => {
      const lines = new LineBuffer()
      lines.begin(line, time)
      expect(contentOf(lines)).toBe(`[${line},${time},`)
    }),
  )
})

test('any ASCII stands inside a string as JSON writes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 100 }), (text) => {
      const lines = new LineBuffer()
      lines.text('"')
      lines.inside(text)
      lines.text('"')
      expect(contentOf(lines)).toBe(JSON.stringify(text))
    }),
  )
})

test('more than it has room for is kept, and nothing when it is cleared', () => {
  const lines = new LineBuffer()
  const text = 'ä€🎉'.repeat(30_000)
  lines.bytes(Buffer.from('x'))
  lines.text(text)
  lines.inside('y')
  expect(contentOf(lines)).toBe(`x${text}y`)
  lines.clear()
  lines.text('z')
  expect(contentOf(lines)).toBe('z')
})
