import { expect, test } from 'vitest'
import { Piece } from '../piece.ts'
import { createRedaction } from '../redaction.ts'
import { ChunkBatch } from './chunk-batch.ts'
import { ExchangeRedaction, type RedactedBatch } from './exchange-redaction.ts'

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

/** Of each chunk that was taken whether it was scanned, in their order. */
function scanned({ upstream, client }: RedactedBatch): readonly boolean[] {
  const count = upstream.length + client.length
  const taken = Array.from({ length: count }, (_, place) => (place % 2 === 0 ? upstream : client)[place >> 1])
  return taken.map((each) => each instanceof Piece)
}

const ALIKE = [' one,', ' two,', ' three', ' three'].map(event)

test('events that are like those before them and end within a word are left for the next batch', () => {
  const redacted = begun().redact(batchOf(...ALIKE), true)
  expect(scanned(redacted)).toEqual([false, false])
})

test('so are the last ones of a batch that begins with others', () => {
  const redaction = new ExchangeRedaction(createRedaction().forTape())
  const redacted = redaction.redact(batchOf(event('Hello, '), event('Hello, '), ...ALIKE), true)
  expect(scanned(redacted)).toEqual([true, true, false, false])
})

test('nothing is left that cannot wait', () => {
  expect(scanned(begun().redact(batchOf(...ALIKE), false))).toHaveLength(4)
})

test('nothing is left of a batch with an event that is unlike those before it', () => {
  expect(scanned(begun().redact(batchOf(...ALIKE, 'data: [DONE]\n\n'), true))).toHaveLength(5)
})

test('many events without the end of a word are not left', () => {
  expect(scanned(begun().redact(batchOf(...Array<string>(40).fill(event('x'))), true))).toHaveLength(40)
})
