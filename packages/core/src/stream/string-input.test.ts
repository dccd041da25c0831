import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { StringInput, stringInputOf } from './string-input.ts'

function inPieces(pieces: readonly string[]): string {
  const input = new StringInput()
  const out = pieces.map((piece) => input.push(piece))
  return out.join('') + input.end()
}

/** Texts with what JSON escapes. */
const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\t', 'u', 'd83d', '\u0001', 'ü', '中', '😀', '}', '{'),
})

test('any split of the JSON gives the text', () => {
  fc.assert(
    fc.property(
      text,
      fc.boolean(),
      fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
      (value, isAscii, sizes) => {
        const json = JSON.stringify({ input: value })
        const written = isAscii ? json.replaceAll(/[^\u0020-\u007E]/g, escapeOf) : json
        const pieces: string[] = []
        for (let at = 0; at < written.length;) {
          const size = sizes.next().value
          pieces.push(written.slice(at, at + size))
          at += size
        }
        expect(inPieces(pieces)).toBe(value)
      },
    ),
  )
})

function escapeOf(char: string): string {
  return String.raw`\u` + char.charCodeAt(0).toString(16).padStart(4, '0')
}

test('text is given as it comes, not at the end', () => {
  const input = new StringInput()
  expect(['{"in', 'put": "*** Beg', 'in\\', 'nPatch'].map((piece) => input.push(piece))).toEqual([
    '',
    '*** Beg',
    'in',
    '\nPatch',
  ])
})

test('an escaped backslash at the end of a piece is whole', () => {
  expect(inPieces([String.raw`{"input":"a\\`, String.raw`" , "more": 1}`])).toBe('a\\')
})

test('an input of another form is given as its JSON', () => {
  expect(inPieces(['{"patch":', '"x"}'])).toBe('{"patch":"x"}')
  expect(inPieces([''])).toBe('')
  expect(inPieces(['no JSON'])).toBe('no JSON')
  expect(stringInputOf({ input: 'x', other: 1 })).toBe('{"input":"x","other":1}')
})

test('a text that is cut off is given up to the cut', () => {
  expect(inPieces([String.raw`{"input":"half\u00`])).toBe('half')
})
