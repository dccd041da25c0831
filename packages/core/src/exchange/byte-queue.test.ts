import { expect, test } from 'vitest'
import { ByteQueue } from './byte-queue.ts'

/** What a queue gives back of these pieces, and of them after what they came in was used for something else. */
function queued(count: number, length: number): { readonly taken: Uint8Array; readonly sent: Uint8Array } {
  const read = new Uint8Array(count * length).map((_, index) => index % 251)
  const sent = read.slice()
  const queue = new ByteQueue()
  for (let at = 0; at < read.length; at += length) queue.push(read.subarray(at, at + length))
  expect(queue.length).toBe(read.length)
  read.fill(255)
  return { taken: queue.take(), sent }
}

test('what is taken is what was pushed, in pieces of any size', () => {
  for (const count of [0, 1, 2, 1023, 1024, 1025, 5000]) {
    for (const length of [1, 7, 1500]) {
      const queue = new ByteQueue()
      const all = new Uint8Array(count * length).map((_, index) => index % 251)
      for (let at = 0; at < all.length; at += length) queue.push(all.subarray(at, at + length))
      expect(queue.length).toBe(all.length)
      expect(Buffer.compare(queue.all(), all)).toBe(0)
      expect(Buffer.compare(queue.take(), all)).toBe(0)
      expect([queue.length, queue.take().length]).toEqual([0, 0])
    }
  }
})

test('many small pieces do not keep what they came in', () => {
  const { taken, sent } = queued(2048, 1)
  expect(Buffer.compare(taken, sent)).toBe(0)
})

test('long pieces are copied once, when they are taken', () => {
  const { taken } = queued(2048, 1024)
  expect(taken.every((byte) => byte === 255)).toBe(true)
})
