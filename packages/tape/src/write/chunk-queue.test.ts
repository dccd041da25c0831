import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ChunkQueue, type ChunkTaker } from './chunk-queue.ts'

function listening(): { taker: ChunkTaker; taken: string[] } {
  const taken: string[] = []
  const taker: ChunkTaker = { batch: undefined, take: (batch) => void taken.push(...batch.texts()['u>']) }
  return { taker, taken }
}

test('chunks wait for a moment, and are then taken in their order', async () => {
  const { taker, taken } = listening()
  const queue = new ChunkQueue(5)
  for (const piece of ['a', 'b', 'c']) queue.add(taker, 'u>', 1, piece)
  expect(taken).toEqual([])
  await expect.poll(() => taken).toEqual(['a', 'b', 'c'])
})

test('whoever cannot wait has them taken at once, and not again', async () => {
  const { taker, taken } = listening()
  const queue = new ChunkQueue(1)
  queue.add(taker, 'u>', 1, 'a')
  queue.drain()
  expect(taken).toEqual(['a'])
  await sleep(5)
  expect(taken).toEqual(['a'])
})

test('with no time to wait nothing waits', () => {
  const { taker, taken } = listening()
  new ChunkQueue(0).add(taker, 'u>', 1, 'a')
  expect(taken).toEqual(['a'])
})

test('more than a moment’s worth of traffic does not pile up', () => {
  const { taker, taken } = listening()
  const queue = new ChunkQueue(60_000)
  queue.add(taker, 'u>', 1, 'x'.repeat(2 * 1024 * 1024))
  expect(taken).toHaveLength(1)
  for (let count = 0; count < 5000; count += 1) queue.add(taker, 'u>', 1, 'y')
  expect(taken.length).toBeGreaterThan(4000)
})
