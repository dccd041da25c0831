import { expect, test } from 'vitest'
import { coloured, diffAnswers } from './diff-answers.ts'

const event = (name: string, value: object): string => `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`
const stream = (...words: string[]): Buffer =>
  Buffer.from(words.map((text) => event('delta', { text })).join(''))

test('two streams are compared event by event, with a few events around', () => {
  const expected = stream('a', 'b', 'c', 'd', 'e', 'f')
  const actual = stream('a', 'b', 'c', 'X', 'e', 'f')
  expect(diffAnswers(expected, actual)).toBe(
    [
      '--- expected',
      '+++ now',
      '@@ event 2 @@',
      '  delta {"text":"b"}',
      '  delta {"text":"c"}',
      '- delta {"text":"d"}',
      '+ delta {"text":"X"}',
      '  delta {"text":"e"}',
      '  delta {"text":"f"}',
    ].join('\n'),
  )
})

test('differences far from each other stand by themselves', () => {
  const words = Array.from({ length: 20 }, (_, index) => String(index))
  const diff = diffAnswers(stream(...words), stream('X', ...words.slice(1, -1), 'Y'))
  expect(diff.match(/^@@ .* @@$/gm)).toEqual(['@@ event 1 @@', '@@ event 18 @@'])
})

test('a body in one piece is compared line by line', () => {
  const diff = diffAnswers(Buffer.from('{"a":1,"b":2}'), Buffer.from('{"a":1,"b":3}'))
  expect(diff).toContain('-   "b": 2\n+   "b": 3')
})

test('a long event is shown where it differs, and how much is left out is said', () => {
  const long = 'x'.repeat(5000)
  const diff = diffAnswers(stream(`${long}old${long}`), stream(`${long}new${long}`))
  expect(diff).toMatch(/^- ….*old.*… \(\d+ more characters\)$/m)
  expect(diff).toMatch(/^\+ ….*new.*… \(\d+ more characters\)$/m)
})

test('half an event is shown as it is', () => {
  const diff = diffAnswers(stream('a'), Buffer.concat([stream('a'), Buffer.from('event: del')]))
  expect(diff).toContain('+ "event: del"')
})

test('colours belong to lines and change no text', () => {
  const diff = diffAnswers(stream('a'), stream('b'))
  const painted = coloured(diff)
  expect(painted).not.toBe(diff)
  // oxlint-disable-next-line no-control-regex -- the codes of colours begin with one
  expect(painted.replaceAll(/\u001B\[\d+m/g, '')).toBe(diff)
})
