import { expect, test } from 'vitest'
import { Piece } from '../piece.ts'
import { createRedaction } from '../redaction.ts'
import { ChunkBatch } from './chunk-batch.ts'
import { ExchangeRedaction } from './exchange-redaction.ts'

function event(content: string): string {
  return `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`
}

function batchOf(...chunks: readonly string[]): ChunkBatch {
  const batch = new ChunkBatch()
  for (const [index, chunk] of chunks.entries()) batch.add(index % 2 === 0 ? 'u>' : '>c', index, chunk)
  return batch
}

function begun(): ExchangeRedaction {
  const redaction = new ExchangeRedaction(createRedaction().forTape())
  redaction.redact(batchOf(event('Hello, '), event('Hello, ')), true)
  return redaction
}

const ALIKE = [' one,', ' two,', ' three', ' three'].map(event)

test('events that are like those before them and end within a word are left for the next batch', () => {
  const redacted = begun().redact(batchOf(...ALIKE), true)
  expect(redacted.map((each) => each instanceof Piece)).toEqual([false, false])
})

test('nothing is left that cannot wait', () => {
  expect(begun().redact(batchOf(...ALIKE), false)).toHaveLength(4)
})

test('nothing is left of a batch with an event that is unlike those before it', () => {
  expect(begun().redact(batchOf(...ALIKE, 'data: [DONE]\n\n'), true)).toHaveLength(5)
})

test('many events without the end of a word are not left', () => {
  expect(begun().redact(batchOf(...Array<string>(40).fill(event('x'))), true)).toHaveLength(40)
})
