import * as fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { countText } from './count-text.ts'

test('an ordinary text is counted exactly, however long', () => {
  const text =
    'export function read(path: string): string {\n    return files.get(path) ?? "none" // naïve\n}\n'
  expect(countText(text.repeat(200))).toBe(countTokens(text.repeat(200)))
})

test('texts cut into pieces count as much as whole ones, within one percent', () => {
  const words = fc.array(fc.constantFrom('the', 'Quick', '{', '};', '\n', '    ', '12345', 'über', '😀'), {
    minLength: 300,
    maxLength: 600,
  })
  fc.assert(
    fc.property(words, (list) => {
      const text = list.join(' ')
      const exact = countTokens(text)
      expect(Math.abs(countText(text) - exact)).toBeLessThanOrEqual(Math.ceil(exact / 100))
    }),
    { numRuns: 50 },
  )
})

test('special tokens in a text are text', () => {
  expect(countText('<|endoftext|>')).toBeGreaterThan(1)
  expect(countText('a <|im_start|> b <|endofprompt|>')).toBeGreaterThan(5)
})

test('unpaired surrogates and control characters are counted', () => {
  expect(countText('\uD800 \uDC00\u0000')).toBeGreaterThan(0)
})

test('a run without a break is estimated close to its exact count', () => {
  const run = 'SGVsbG8gd29ybGQ4fj+'.repeat(500)
  const exact = countTokens(run)
  expect(Math.abs(countText(run) - exact)).toBeLessThan(exact * 0.1)
})

test.each([
  ['one letter', 'a'.repeat(1_000_000)],
  ['spaces', ' '.repeat(1_000_000)],
  ['wide spaces', `${'\u3000'.repeat(1000)} `.repeat(1000)],
  ['slashes and newlines', '\n/'.repeat(500_000)],
  ['punctuation', '!\u0000'.repeat(500_000)],
  ['special tokens', '<|endoftext|>'.repeat(77_000)],
])('a megabyte of %s holds up nobody', (_name, text) => {
  // What costs quadratic time runs into the time-out of the tests.
  expect(countText(text)).toBeGreaterThan(0)
})
