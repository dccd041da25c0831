import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import type { Chunks } from './chunks.ts'
import { ChunkBatch } from './chunk-batch.ts'

function textsOf(chunks: Chunks): readonly string[] {
  return Array.from({ length: chunks.count }, (_, index) => chunks.textOf(index))
}

test('texts and bytes of both legs are kept as bytes, in their order and with their times', () => {
  const batch = new ChunkBatch()
  const borrowed = Buffer.from([0xc3])
  batch.add('u>', 1, borrowed)
  borrowed.fill(0)
  batch.add('>c', 2, 'ä')
  batch.add('u>', 3, Buffer.from('b'))
  expect(batch.count).toBe(3)
  expect(batch.legs.slice(0, 3)).toEqual(['u>', '>c', 'u>'])
  expect(batch.times.slice(0, 3)).toEqual([1, 2, 3])
  expect(textsOf(batch.upstream)).toEqual(['\u00c3', 'b'])
  expect(textsOf(batch.client)).toEqual(['\u00c3\u00a4'])
})

test('a batch goes on with what is left behind the first chunks', () => {
  const batch = new ChunkBatch()
  for (const [at, leg] of (['u>', '>c', '>c', 'u>', '>c'] as const).entries()) batch.add(leg, at, `ä${at}`)
  batch.drop(2)
  batch.add('u>', 5, 'and more')
  expect(batch.count).toBe(4)
  expect(batch.legs.slice(0, 4)).toEqual(['>c', 'u>', '>c', 'u>'])
  expect(batch.times.slice(0, 4)).toEqual([2, 3, 4, 5])
  expect(textsOf(batch.upstream)).toEqual(['\u00c3\u00a43', 'and more'])
  expect(textsOf(batch.client)).toEqual(['\u00c3\u00a42', '\u00c3\u00a44'])
})

test('a batch of which everything was dropped has nothing of what was in it', () => {
  const batch = new ChunkBatch()
  batch.add('>c', 1, 'ä and more')
  batch.drop(1)
  batch.add('u>', 2, Buffer.from('a'))
  expect(batch.count).toBe(1)
  expect([textsOf(batch.upstream), textsOf(batch.client)]).toEqual([['a'], []])
})

test('a batch grows with what it is given', () => {
  const batch = new ChunkBatch()
  const texts = ['x'.repeat(3000), '€'.repeat(3000), 'y'.repeat(70_000)]
  for (const text of texts) batch.add('>c', 1, text)
  expect(batch.isSmall).toBe(false)
  expect(textsOf(batch.client).map((text) => Buffer.from(text, 'latin1').toString('utf8'))).toEqual(texts)
})

test('the beginning of a batch is as long as it can be with so many chunks of each leg', () => {
  const batch = new ChunkBatch()
  for (const leg of ['u>', '>c', '>c', 'u>'] as const) batch.add(leg, 1, 'a')
  expect(batch.beginning({ upstream: 2, client: 2 })).toEqual({ upstream: 2, client: 2 })
  expect(batch.beginning({ upstream: 1, client: 2 })).toEqual({ upstream: 1, client: 2 })
  expect(batch.beginning({ upstream: 2, client: 1 })).toEqual({ upstream: 1, client: 1 })
  expect(batch.beginning({ upstream: 0, client: 2 })).toEqual({ upstream: 0, client: 0 })
})
