import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { StringInput, stringInputOf } from './string-input.ts'

function read(...pieces: readonly string[]): string {
  const input = new StringInput()
  return pieces.map((piece) => input.push(piece)).join('') + input.end()
}

test('the text comes out as soon as it is certain', () => {
  const input = new StringInput()
  expect(
    ['{"in', 'put": "a', '\\', 'n\\u00', 'e9', '\\ud83d', '\\ude00b"', '}'].map((piece) => input.push(piece)),
  ).toEqual(['', 'a', '', '\n', 'é', '', '😀b', ''])
  expect(input.end()).toBe('')
})

test('any text in any pieces comes out as it went in', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.nat(60)),
      fc.boolean(),
      (text, cuts, escapes) => {
        const json = JSON.stringify({ input: text }, null, cuts.length % 3)
        const wire = escapes ? json.replaceAll(/[^\x20-\x7e]/g, asEscape) : json
        const places = [...new Set(cuts.filter((cut) => cut < wire.length))].toSorted(
          (one, other) => one - other,
        )
        const pieces = [...places, wire.length].map((end, index) => wire.slice(places[index - 1] ?? 0, end))
        expect(read(...pieces)).toBe(text)
      },
    ),
  )
})

function asEscape(character: string): string {
  return character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

test.each([
  ['{"patch":"x"}', '{"patch":"x"}'],
  ['{"input":{"a":1}}', '{"input":{"a":1}}'],
  ['{"more":1,"input":"x"}', '{"more":1,"input":"x"}'],
  ['no JSON', 'no JSON'],
  ['{"inp', '{"inp'],
  ['', ''],
  ['{"input":"cut off\\', 'cut off'],
])('an input of another form stays as it is: %s', (json, text) => {
  expect(read(json)).toBe(text)
})

test('a whole input is its text, or its JSON', () => {
  expect([stringInputOf({ input: 'x' }), stringInputOf({ a: 1 }), stringInputOf(undefined)]).toEqual([
    'x',
    '{"a":1}',
    '{}',
  ])
})
