import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_NUMBER_BYTES, readNumbers, writeNumber } from './numbers.ts'

test('numbers come back as they were written, one behind the other', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(), fc.maxSafeNat(), fc.nat(300)), { maxLength: 20 }), (numbers) => {
      const bytes = Buffer.alloc(numbers.length * MAX_NUMBER_BYTES, 0xff)
      let end = 0
      for (const number of numbers) end = writeNumber(bytes, number, end)
      expect(readNumbers(bytes, numbers.length, 0)).toEqual({ numbers, end })
    }),
  )
})

test('the largest number takes no more bytes than it may', () => {
  expect(writeNumber(Buffer.alloc(20), Number.MAX_SAFE_INTEGER, 0)).toBe(MAX_NUMBER_BYTES)
})
