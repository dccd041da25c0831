import { UsageError } from '@hydra/cli'
import { expect, test } from 'vitest'
import { EXPLAIN_HELP, parseExplainOptions } from './explain-options.ts'

test('a file and its options in any order', () => {
  expect(
    parseExplainOptions(['--json', 'a.json', '-m', 'x', '--provider=openai', '--exchange', '2']),
  ).toEqual({
    file: 'a.json',
    provider: { name: '--provider', value: 'openai' },
    model: 'x',
    exchange: 2,
    json: true,
  })
  expect(parseExplainOptions(['-'])).toMatchObject({ file: '-', json: false })
})

test('the provider is named as for all other commands; the older name still counts', () => {
  const provider = { name: '--profile', value: 'groq' }
  expect(parseExplainOptions(['a', '--profile', 'groq'])).toMatchObject({ provider })
})

test.each([
  [[], 'hydra explain needs a file; see hydra explain --help'],
  [['a', 'b'], "hydra explain takes one file, got 'b' as well"],
  [['a', '--modle', 'x'], 'unknown option --modle; did you mean --model?'],
  [
    ['a', '--provider', 'x', '--profile', 'y'],
    '--provider and --profile are the same; leave out one of the two',
  ],
  [['a', '--exchange', 'two'], '--exchange two: expected a whole number from 1 on'],
  [['a', '--exchange', '0'], '--exchange 0: expected a whole number from 1 on'],
])('%j is a mistake that is told in one line', (args, message) => {
  expect(() => parseExplainOptions(args)).toThrow(new UsageError(message))
})

test('the help names every option', () => {
  for (const name of ['--provider', '--profile', '--model', '--exchange', '--json', '--help'])
    expect(EXPLAIN_HELP).toContain(name)
})
