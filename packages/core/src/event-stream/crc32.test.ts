import { crc32 as zlibCrc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumOf, crc32, KnownRemainder, NO_REMAINDER, remainderOver } from './crc32.ts'

const BYTES = fc.uint8Array({ maxLength: 100 })

test('the checksum is that of zlib', () => {
  fc.assert(
    fc.property(BYTES, (bytes) => {
      expect(crc32(bytes)).toBe(zlibCrc32(bytes))
    }),
  )
})

test('the remainder over bytes is that over their parts, whether these are read or known', () => {
  fc.assert(
    fc.property(BYTES, BYTES, BYTES, (before, known, behind) => {
      const first = remainderOver(NO_REMAINDER, before, 0, before.length)
      const second = new KnownRemainder(known).after(first)
      expect(second).toBe(remainderOver(first, known, 0, known.length))
      const all = remainderOver(second, behind, 0, behind.length)
      expect(checksumOf(all)).toBe(zlibCrc32(Buffer.concat([before, known, behind])))
    }),
  )
})
