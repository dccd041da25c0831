import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HashedPiece, KnownBeginnings } from './known-beginnings.ts'
import { LegHash } from './leg-hash.ts'

function piece(text: string, isKept = true): HashedPiece {
  return { bytes: Buffer.from(text), isKept }
}

function sha256(...pieces: readonly HashedPiece[]): string {
  return hash('sha256', Buffer.concat(pieces.map(({ bytes }) => bytes)), 'hex')
}

test('bodies that begin alike have the hashes of all their bytes, whatever came before in the leg', () => {
  const pieces = [piece('a'), piece('b'), piece('c'), piece('d'), piece('e', false)]
  const body = fc.array(fc.constantFrom(...pieces), { maxLength: 6 })
  const leg = fc.array(body, { minLength: 1, maxLength: 2 })
  fc.assert(
    fc.property(fc.array(leg, { maxLength: 12 }), (legs) => {
      const beginnings = new KnownBeginnings()
      for (const bodies of legs) {
        const together = new LegHash()
        for (const each of bodies) beginnings.hash(together, each)
        expect(together.digest()).toBe(sha256(...bodies.flat()))
      }
    }),
  )
})

test('a beginning that is known is not hashed again', () => {
  const beginnings = new KnownBeginnings()
  const [one, two] = [piece('one'), piece('two')]
  beginnings.hash(new LegHash(), [one, two])
  Buffer.from(one.bytes.buffer, one.bytes.byteOffset, one.bytes.length).fill(0)
  const leg = new LegHash()
  beginnings.hash(leg, [one, two, piece('three')])
  expect(leg.digest()).toBe(sha256(piece('one'), piece('two'), piece('three')))
})

test('more beginnings than are remembered are hashed all the same', () => {
  const beginnings = new KnownBeginnings()
  const pieces = Array.from({ length: 1500 }, (_, index) => piece(`${index},`))
  for (const count of [1500, 1500, 1200]) {
    const leg = new LegHash()
    beginnings.hash(leg, pieces.slice(0, count))
    expect(leg.digest()).toBe(sha256(...pieces.slice(0, count)))
  }
})
