import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HeldText } from './held-text.ts'

const WORDS = ['{}', 'null', '{', '"', '']

test('what is held looks like its whole text, in whatever pieces that came', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '{}',
    'null',
    'nu',
    'll',
    ' ',
    '\n\t',
    '"',
    'a',
    '\u00a0',
    'long text',
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 8 }), (pieces) => {
      const held = new HeldText()
      let text = ''
      for (const piece of pieces) {
        held.push(piece)
        text += piece
        for (const word of WORDS) expect(held.is(word)).toBe(text.trim() === word)
        for (const first of ['{', '"', 'n'])
          expect(held.beginsWith(first)).toBe(text.trim().startsWith(first))
      }
      expect([held.text, held.length]).toEqual([text, text.length])
      expect(held.take()).toBe(text)
      expect([held.is(''), held.length]).toEqual([true, 0])
    }),
    { numRuns: 2000 },
  )
})
