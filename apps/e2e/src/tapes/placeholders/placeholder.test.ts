import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeholderFor } from './placeholder.ts'

test('a placeholder has the lines and the quotes of the text, and says nothing of it', () => {
  expect(placeholderFor('You are "an agent".\n\nIMPORTANT: be good, please', 12)).toBe(
    '0012 pla"ceholder" \n\n0012 placeholder text, 001',
  )
})

test('a placeholder of any text takes as many bytes, as text and in JSON, and is not trimmed', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((words) => words.toWellFormed())
  fc.assert(
    fc.property(text, fc.nat(9999), (original, number) => {
      const placeholder = placeholderFor(original, number)
      expect(Buffer.byteLength(placeholder)).toBe(Buffer.byteLength(original))
      const [before, after] = [JSON.stringify(original), JSON.stringify(placeholder)]
      expect(Buffer.byteLength(after)).toBe(Buffer.byteLength(before))
      expect(placeholder).not.toMatch(/ $/)
    }),
  )
})
