import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonScanner, type JsonState } from './json-scanner.ts'

function scan(...pieces: readonly string[]): JsonState {
  const scanner = new JsonScanner()
  for (const piece of pieces) scanner.push(piece)
  return scanner.state
}

/** What JSON.parse says of a text: whether it is one object. */
function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const OBJECT = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 })
const JSON_TEXT = fc
  .tuple(OBJECT, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
const SPOILER = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u12',
  '1',
  '-',
  '.',
  'e',
  'true',
  'nul',
  ' ',
  '\n',
  '\u0001',
  '\u00A0',
  'ä',
)

test.for([
  ['', 'empty'],
  [' \n\t\r', 'empty'],
  ['{', 'partial'],
  ['{}', 'complete'],
  [' {} \n', 'complete'],
  ['{}}', 'invalid'],
  ['{}{', 'invalid'],
  ['[]', 'invalid'],
  ['"a"', 'invalid'],
  ['null', 'invalid'],
  ['{"a"', 'partial'],
  ['{"a":1', 'partial'],
  ['{"a":1}', 'complete'],
  ['{"a":-0.5e+10}', 'complete'],
  ['{"a":01}', 'invalid'],
  ['{"a":1.}', 'invalid'],
  ['{"a":+1}', 'invalid'],
  ['{"a":.5}', 'invalid'],
  ['{"a":NaN}', 'invalid'],
  ['{"a":tru}', 'invalid'],
  ['{"a":1e400}', 'complete'],
  ['{"a":"\\u12', 'partial'],
  ['{"a":"\\u12G', 'invalid'],
  ['{"a":"\\x', 'invalid'],
  ['{"a":"\n', 'invalid'],
  ['{"a":1,}', 'invalid'],
  ['{,}', 'invalid'],
  ['{"a":[1,]}', 'invalid'],
  ['{"a":[]]', 'invalid'],
  ['{"a":[}', 'invalid'],
  ["{'a':1}", 'invalid'],
  ['{a:1}', 'invalid'],
  ['{"a" "b"}', 'invalid'],
  ['{"a":"}"', 'partial'],
  ['{"a":1 2}', 'invalid'],
  ['{"a":"b"//c', 'invalid'],
] as const)('%j is %s', ([text, state]) => {
  expect(scan(text)).toBe(state)
  expect(scan(...Array.from(text))).toBe(state)
  expect(isObject(text)).toBe(state === 'complete')
})

test('C18 an object is complete when JSON.parse takes it, and every beginning of it is not', () => {
  fc.assert(
    fc.property(JSON_TEXT, (text) => {
      expect(scan(text)).toBe('complete')
      const scanner = new JsonScanner()
      for (const char of text.trimEnd().slice(0, -1)) {
        scanner.push(char)
        expect(scanner.state).toBe('partial')
      }
    }),
    { numRuns: 300 },
  )
})

test('the scanner agrees with JSON.parse on spoilt objects', () => {
  fc.assert(
    fc.property(JSON_TEXT, fc.nat(), fc.nat({ max: 2 }), SPOILER, (text, place, removed, added) => {
      const at = place % (text.length + 1)
      const spoilt = text.slice(0, at) + added + text.slice(at + removed)
      expect(scan(spoilt) === 'complete', spoilt).toBe(isObject(spoilt))
    }),
    { numRuns: 1000 },
  )
})

test('a text that is invalid cannot be completed by anything', () => {
  fc.assert(
    fc.property(fc.array(SPOILER, { maxLength: 8 }), fc.array(SPOILER, { maxLength: 8 }), (start, rest) => {
      const text = `{${start.join('')}`
      if (scan(text) === 'invalid') expect(isObject(text + rest.join(''))).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('any split gives the same state', () => {
  fc.assert(
    fc.property(JSON_TEXT, fc.array(fc.nat(), { maxLength: 5 }), SPOILER, (text, places, spoiler) => {
      const spoilt = text + spoiler
      const at = places.map((place) => place % spoilt.length).toSorted((one, other) => one - other)
      const pieces = [...at, spoilt.length].map((end, number) => spoilt.slice(at[number - 1] ?? 0, end))
      expect(scan(...pieces)).toBe(scan(spoilt))
    }),
    { numRuns: 500 },
  )
})

test('nesting beyond any use is invalid, and costs no more than that', () => {
  expect(scan(`{"a":${'['.repeat(511)}`)).toBe('partial')
  expect(scan(`{"a":${'['.repeat(512)}`)).toBe('invalid')
  expect(scan('{"a":'.repeat(1_000_000))).toBe('invalid')
})

test('a number without an end is invalid', () => {
  expect(scan('{"a":', '1'.repeat(1000))).toBe('partial')
  expect(scan('{"a":', '1'.repeat(1001))).toBe('invalid')
})
