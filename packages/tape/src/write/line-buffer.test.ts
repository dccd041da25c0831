import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { templateOf } from '../redact/alike/event-template.ts'
import { Chunks } from '../redact/alike/chunks.ts'
import type { ExampleEvent } from '../redact/stream-redaction.ts'
import { StreamText } from '../redact/stream-text.ts'
import { type ChunkLikeTemplate, LineBuffer } from './line-buffer.ts'

function contentOf(lines: LineBuffer): string {
  return Buffer.from(lines.content()).toString('utf8')
}

function contentOfLike(line: number, chunk: ChunkLikeTemplate): string {
  const lines = new LineBuffer()
  chunk.chunks.run.match(chunk.chunks, chunk.index, chunk.template)
  lines.like(Buffer.from(`{"like":${line},"text`), chunk)
  return contentOf(lines)
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
      lines.end()
      expect(contentOf(lines)).toBe(`[${line},${time},]\n`)
    }),
  )
})

function eventOf(text: string, number: number): string {
  return `data: {"text":"${text}","number":${number}}\n\n`
}

function exampleOf(text: string, number: number): ExampleEvent {
  const bytes = eventOf(text, number)
  const from = bytes.indexOf(':"') + 2
  return { bytes, from, to: from + text.length, text: new StreamText([]) }
}

test('what is in the quotes of JSON stands in the line of a chunk as JSON writes it', () => {
  const inQuotes = fc
    .string({ unit: 'grapheme', maxLength: 100 })
    .map((text) => JSON.stringify(text).slice(1, -1))
  const one = templateOf(exampleOf('a', 1), undefined)
  const two = templateOf(exampleOf('b', 2), one)
  if (one === undefined || two === undefined) throw new Error('expected two templates')
  fc.assert(
    fc.property(inQuotes, fc.nat(), (text, line) => {
      const chunks = new Chunks()
      chunks.add('before')
      chunks.add(eventOf(text, 1))
      chunks.add(eventOf(text, line))
      chunks.add(eventOf(text, 1) + eventOf('', 1))
      chunks.add(eventOf(text, line) + eventOf('b', 3))
      expect(contentOfLike(line, { chunks, index: 1, template: one })).toBe(
        JSON.stringify({ like: line, text }),
      )
      expect(contentOfLike(line, { chunks, index: 2, template: two })).toBe(
        JSON.stringify({ like: line, texts: [text, String(line)] }),
      )
      expect(contentOfLike(line, { chunks, index: 3, template: one })).toBe(
        JSON.stringify({ like: line, texts: [text, ''] }),
      )
      expect(contentOfLike(line, { chunks, index: 4, template: two })).toBe(
        JSON.stringify({ like: line, texts: [text, String(line), 'b', '3'] }),
      )
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
