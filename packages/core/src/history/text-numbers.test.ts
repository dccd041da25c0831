import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextNumbers } from './text-numbers.ts'

test('texts have the same number if they are equal, and only then', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (texts) => {
      const numbers = new TextNumbers()
      const given = texts.map((text) => numbers.numberOf(text))
      for (const [one, text] of texts.entries()) {
        for (const [other, more] of texts.entries()) expect(given[one] === given[other]).toBe(text === more)
      }
    }),
  )
})

test('two texts with one hash are still two', () => {
  // Both have the 32-bit FNV-1a hash 0x5e4daa9d.
  const [one, other] = ['costarring', 'liquid']
  const numbers = new TextNumbers()
  expect([one, other, one].map((text) => numbers.numberOf(text))).toEqual([0, 1, 0])
})
