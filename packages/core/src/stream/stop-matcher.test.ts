import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { StopMatcher } from './stop-matcher.ts'

function match(
  sequences: readonly string[],
  pieces: readonly string[],
): { text: string; matched: string | undefined } {
  const matcher = new StopMatcher(sequences)
  let text = ''
  for (const piece of pieces) {
    text += matcher.push(piece)
    if (matcher.matched !== undefined) return { text, matched: matcher.matched }
  }
  return { text: text + matcher.flush(), matched: undefined }
}

test('text ends before the stop sequence that comes first', () => {
  expect(match(['END', 'ST'], ['a STEND'])).toEqual({ text: 'a ', matched: 'ST' })
  expect(match(['END', 'ST'], ['a ENDST'])).toEqual({ text: 'a ', matched: 'END' })
})

test('what may be the beginning of a stop sequence is held back, and let go when it is none', () => {
  const matcher = new StopMatcher(['STOP'])
  expect([matcher.push('a ST'), matcher.push('A'), matcher.flush()]).toEqual(['a', ' ', 'STA'])
})

test('no piece ends in half a character', () => {
  const matcher = new StopMatcher(['STOP'])
  const pieces = Array.from('😀😀😀😀😀').map((char) => matcher.push(char))
  expect([...pieces, matcher.flush()].every((piece) => piece.isWellFormed())).toBe(true)
})

const CHAR = fc.constantFrom('a', 'b', 'c', '😀')
const TEXT = fc.string({ unit: CHAR, minLength: 1, maxLength: 3 })

test('any pieces give what the whole text gives', () => {
  fc.assert(
    fc.property(
      fc.array(TEXT, { minLength: 1, maxLength: 3 }),
      fc.array(fc.string({ unit: CHAR, maxLength: 5 })),
      (sequences, pieces) => {
        const whole = pieces.join('')
        const places = sequences.map((sequence) => whole.indexOf(sequence)).filter((at) => at !== -1)
        const { text, matched } = match(sequences, pieces)
        const end = places.length === 0 ? whole.length : Math.min(...places)
        expect(text.length).toBeGreaterThanOrEqual(matched === undefined ? whole.length : 0)
        if (matched === undefined) expect([text, end]).toEqual([whole, whole.length])
        else expect(whole.slice(text.length).startsWith(matched)).toBe(true)
      },
    ),
    { numRuns: 1000 },
  )
})
