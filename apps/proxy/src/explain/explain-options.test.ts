import { expect, test } from 'vitest'
import { UsageError } from '../cli/usage-error.ts'
import { EXPLAIN_HELP, parseExplainOptions } from './explain-options.ts'

test('a file and its options in any order', () => {
  expect(parseExplainOptions(['--json', 'a.json', '-m', 'x', '--profile=openai', '--exchange', '2'])).toEqual(
    {
      file: 'a.json',
      profile: 'openai',
      model: 'x',
      exchange: 2,
      json: true,
    },
  )
  expect(parseExplainOptions(['-'])).toMatchObject({ file: '-', json: false })
})

test.each([
  [[], 'hydra explain needs a file; see hydra explain --help'],
  [['a', 'b'], "hydra explain takes one file, got 'b' as well"],
  [['a', '--modle', 'x'], 'unknown option --modle; see hydra explain --help'],
  [['a', '--exchange', 'two'], '--exchange two: expected a whole number from 1 on'],
  [['a', '--exchange', '0'], '--exchange 0: expected a whole number from 1 on'],
])('%j is a mistake that is told in one line', (args, message) => {
  expect(() => parseExplainOptions(args)).toThrow(new UsageError(message))
})

test('the help names every option', () => {
  for (const name of ['--profile', '--model', '--exchange', '--json', '--help'])
    expect(EXPLAIN_HELP).toContain(name)
})
