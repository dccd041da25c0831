import { Buffer } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ChunkQueue, QueuedChunks } from './chunk-queue.ts'

/** Takes the chunks of an upstream, but for the last ones if they can wait. */
function listening(held = 0): { chunks: QueuedChunks; taken: string[] } {
  const taken: string[] = []
  const chunks = new QueuedChunks(({ upstream }, canWait) => {
    const count = upstream.count - (canWait ? Math.min(held, upstream.count) : 0)
    for (let index = 0; index < count; index += 1) taken.push(upstream.textOf(index))
    return count
  })
  return { chunks, taken }
}

const ignore = (): void => undefined

test('chunks wait for a moment, and are then taken in their order', async () => {
  const { chunks, taken } = listening()
  const queue = new ChunkQueue(5, ignore)
  for (const piece of ['a', 'b', 'c']) queue.add(chunks, 'u>', 1, piece)
  expect(taken).toEqual([])
  await expect.poll(() => taken).toEqual(['a', 'b', 'c'])
})

test('a reader that cannot wait has them taken at once, and not again', async () => {
  const { chunks, taken } = listening()
  const queue = new ChunkQueue(1, ignore)
  queue.add(chunks, 'u>', 1, 'a')
  queue.drain()
  expect(taken).toEqual(['a'])
  await sleep(5)
  expect(taken).toEqual(['a'])
})

test('with no time to wait nothing waits', () => {
  const { chunks, taken } = listening()
  new ChunkQueue(0, ignore).add(chunks, 'u>', 1, 'a')
  expect(taken).toEqual(['a'])
})

test('more than a moment’s worth of traffic does not pile up', () => {
  const { chunks, taken } = listening()
  const queue = new ChunkQueue(60_000, ignore)
  queue.add(chunks, 'u>', 1, 'x'.repeat(2 * 1024 * 1024))
  expect(taken).toHaveLength(1)
  for (let count = 0; count < 5000; count += 1) queue.add(chunks, 'u>', 1, 'y')
  expect(taken.length).toBeGreaterThan(4000)
})

test('what waits for one of several is taken alone, and the others in their time', async () => {
  const [one, other] = [listening(), listening()]
  const drained: string[][] = []
  const queue = new ChunkQueue(5, () => drained.push([...one.taken, ...other.taken]))
  queue.add(one.chunks, 'u>', 1, 'a')
  queue.add(other.chunks, 'u>', 1, 'x')
  queue.drainFor(one.chunks)
  queue.add(one.chunks, 'u>', 1, 'b')
  expect([one.taken, other.taken]).toEqual([['a'], []])
  await expect.poll(() => drained).toEqual([['a', 'b', 'x']])
})

test('what was held comes first the next time, and alone if it cannot wait any more', () => {
  const { chunks, taken } = listening(2)
  const queue = new ChunkQueue(60_000, ignore)
  const add = (...pieces: (string | Uint8Array)[]): void => {
    for (const [at, piece] of pieces.entries()) queue.add(chunks, 'u>', at, piece)
  }
  add('a', Buffer.from('b'), 'c')
  queue.drain(true)
  expect([taken, chunks.held]).toEqual([['a'], 2])
  queue.drain(true)
  queue.drainFor(chunks, true)
  expect(taken).toEqual(['a'])
  add('d')
  queue.drain(true)
  expect([taken, chunks.held]).toEqual([['a', 'b'], 2])
  queue.drainFor(chunks)
  expect([taken, chunks.held]).toEqual([['a', 'b', 'c', 'd'], 0])
})

test('a chunk is copied: whoever gave it may use its bytes again', () => {
  const { chunks, taken } = listening()
  const queue = new ChunkQueue(60_000, ignore)
  const bytes = Buffer.from('a')
  queue.add(chunks, 'u>', 1, bytes)
  bytes.fill('b')
  queue.drain()
  expect(taken).toEqual(['a'])
})
