import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ChunkQueue, type ChunkTaker, type TakenChunk } from './chunk-queue.ts'

function listening(): { taker: ChunkTaker; taken: string[]; chunk: (piece: string) => TakenChunk } {
  const taken: string[] = []
  const taker: ChunkTaker = {
    take: (chunks) => void taken.push(...chunks.map(({ piece }) => String(piece))),
  }
  const chunk = (piece: string): TakenChunk => ({
    exchange: taker,
    leg: 'u>',
    at: 1,
    piece,
    isBytes: false,
    isAscii: true,
  })
  return { taker, taken, chunk }
}

test('chunks wait for a moment, and are then taken in their order', async () => {
  const { taken, chunk } = listening()
  const queue = new ChunkQueue(5)
  for (const piece of ['a', 'b', 'c']) queue.add(chunk(piece))
  expect(taken).toEqual([])
  await expect.poll(() => taken).toEqual(['a', 'b', 'c'])
})

test('whoever cannot wait has them taken at once, and not again', async () => {
  const { taken, chunk } = listening()
  const queue = new ChunkQueue(1)
  queue.add(chunk('a'))
  queue.drain()
  expect(taken).toEqual(['a'])
  await sleep(5)
  expect(taken).toEqual(['a'])
})

test('with no time to wait nothing waits', () => {
  const { taken, chunk } = listening()
  new ChunkQueue(0).add(chunk('a'))
  expect(taken).toEqual(['a'])
})

test('more than a moment’s worth of traffic does not pile up', () => {
  const { taken, chunk } = listening()
  const queue = new ChunkQueue(60_000)
  queue.add(chunk('x'.repeat(2 * 1024 * 1024)))
  expect(taken).toHaveLength(1)
  for (let count = 0; count < 5000; count += 1) queue.add(chunk('y'))
  expect(taken.length).toBeGreaterThan(4000)
})
