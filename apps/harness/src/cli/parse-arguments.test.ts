import { expect, test } from 'vitest'
import { UsageError } from '../command.ts'
import { oneOf, parseArguments, wholeNumber } from './parse-arguments.ts'

test('options and words come in any order', () => {
  const { values, positionals } = parseArguments('chaos', ['a', '--seed', '7', 'b', '--json'], {
    seed: { type: 'string' },
    json: { type: 'boolean' },
  })
  expect({ ...values }).toEqual({ seed: '7', json: true })
  expect(positionals).toEqual(['a', 'b'])
})

test('an unknown option names the help of its command', () => {
  expect(() => parseArguments('chaos', ['--sead', '7'], {})).toThrow(
    new UsageError('unknown option --sead; see hydra-tape chaos --help'),
  )
})

test.for(['-1', '1.5', 'many', '', '99999999999999999999'])('%j is no whole number', (typed) => {
  expect(() => wholeNumber('seed', typed, 1)).toThrow(
    new UsageError(`--seed: expected a whole number, got '${typed}'`),
  )
})

test('what was not typed has its usual value', () => {
  expect(wholeNumber('seed', undefined, 3)).toBe(3)
  expect(wholeNumber('seed', '0', 3)).toBe(0)
  expect(oneOf('cases', undefined, ['all', 'cut'])).toBe('all')
  expect(oneOf('cases', 'cut', ['all', 'cut'])).toBe('cut')
  expect(() => oneOf('cases', 'cutt', ['all', 'cut'])).toThrow(
    new UsageError("--cases: expected all, cut, got 'cutt'"),
  )
})
