import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownBytes, viewOf } from './known-bytes.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

test('bytes are found where they stand, whole, and nowhere else', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(text, text, text, (before, known, behind) => {
      const bytes = encode(before + known + behind)
      const looked = new KnownBytes(known)
      for (let place = 0; place <= bytes.length; place += 1) {
        const there = Buffer.from(bytes.subarray(place, place + looked.length))
        expect(looked.isAt(viewOf(bytes), place)).toBe(there.equals(encode(known)))
      }
    }),
  )
})

test('a difference in any single byte is seen', () => {
  for (let length = 1; length < 30; length += 1) {
    const looked = new KnownBytes('x'.repeat(length))
    for (let place = 0; place < length; place += 1) {
      const bytes = encode('x'.repeat(length))
      bytes[place] = 0
      expect(looked.isAt(viewOf(bytes), 0)).toBe(false)
    }
  }
})

test('only the bytes of the view count', () => {
  const bytes = encode('..known..').subarray(2, 7)
  expect(new KnownBytes('known').isAt(viewOf(bytes), 0)).toBe(true)
  expect(new KnownBytes('known..').isAt(viewOf(bytes), 0)).toBe(false)
})
