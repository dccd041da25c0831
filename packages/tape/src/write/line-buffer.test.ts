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
    fc.property(number, number, number, (line, time, exchange) => {
      const lines = new LineBuffer()
      lines.begin(line, time, exchange)
      lines.end()
      expect(contentOf(lines)).toBe(`[${line},${time},${exchange},]\n`)
    }),
  )
})

test('printed ASCII without quotes stands in the line of a chunk as JSON writes it', () => {
  const plain = fc
    .string({ unit: 'grapheme-ascii', maxLength: 100 })
    .map((text) => text.replaceAll('"', '\\'))
  fc.assert(
    fc.property(plain, fc.string({ unit: 'grapheme-ascii' }), fc.nat(), (text, before, line) => {
      const lines = new LineBuffer()
      lines.like(line, Buffer.from(`${before}${text}~`), before.length, before.length + text.length)
      expect(contentOf(lines)).toBe(JSON.stringify({ like: line, text }))
    }),
  )
})

test('more than it has room for is kept, and nothing when it is cleared', () => {
  const lines = new LineBuffer()
  const text = 'ä€🎉'.repeat(30_000)
  lines.short(Buffer.from('x'))
  lines.text(text)
  lines.short(Buffer.from('y'))
  expect(contentOf(lines)).toBe(`x${text}y`)
  lines.clear()
  lines.text('z')
  expect(contentOf(lines)).toBe('z')
})
