import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextPieces } from './text-pieces.ts'

test('pieces give the text that they were cut from', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 20 }), fc.nat({ max: 3000 }), (pieces, repeats) => {
      const gathered = new TextPieces()
      const all = [...Array.from({ length: repeats }, () => 'x'), ...pieces]
      for (const piece of all) gathered.push(piece)
      expect(gathered.length).toBe(all.join('').length)
      expect(gathered.text).toBe(all.join(''))
      gathered.push('end')
      expect(gathered.take()).toBe(`${all.join('')}end`)
      expect([gathered.text, gathered.length]).toEqual(['', 0])
    }),
    { numRuns: 200 },
  )
})
