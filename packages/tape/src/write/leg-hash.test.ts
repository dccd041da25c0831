import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { LegHash } from './leg-hash.ts'

const BYTES = Buffer.from('0123456789')

test('borrowed bytes are hashed where they stand among the others, whether they follow one another or not', () => {
  const leg = new LegHash()
  leg.updateLatin1('a\u00fc')
  leg.borrow(BYTES, 0, 2)
  leg.borrow(BYTES, 2, 4)
  leg.borrow(BYTES, 6, 8)
  leg.borrow(Buffer.from('xyz'), 0, 3)
  leg.update(Buffer.from('b'))
  leg.borrow(BYTES, 8, 10)
  const expected = Buffer.from('a\u00fc012367xyzb89', 'latin1')
  expect(leg.digest()).toBe(hash('sha256', expected, 'hex'))
})

test('any lengths on either side of what is hashed together are hashed in their order', () => {
  const leg = new LegHash()
  const all: Buffer[] = []
  for (const length of [8000, 192, 1, 8191, 8192, 8193, 5, 20_000, 4096, 4096, 4096]) {
    const bytes = Buffer.alloc(length, all.length + 1)
    all.push(bytes)
    if (all.length % 2 === 0) leg.updateLatin1(bytes.toString('latin1'))
    else leg.borrow(bytes, 0, length)
  }
  expect(leg.digest()).toBe(hash('sha256', Buffer.concat(all), 'hex'))
})

test('what is settled may be overwritten', () => {
  const leg = new LegHash()
  const borrowed = Buffer.from('abc')
  leg.borrow(borrowed, 0, 3)
  leg.settle()
  borrowed.fill(0)
  expect(leg.digest()).toBe(hash('sha256', Buffer.from('abc'), 'hex'))
})
