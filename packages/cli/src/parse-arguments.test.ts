import { expect, test } from 'vitest'
import {
  leadingOptions,
  oneOf,
  parseArguments,
  parseLeadingOptions,
  takeOptions,
  wholeNumber,
} from './parse-arguments.ts'
import { UsageError } from './usage-error.ts'

const GRAMMAR = {
  command: 'hydra serve',
  options: {
    port: { type: 'string', short: 'p' },
    key: { type: 'string' },
    config: { type: 'string', short: 'c' },
    tag: { type: 'string', multiple: true },
    insecure: { type: 'boolean' },
  },
} as const

test('options come in any of the usual forms, and words in any order', () => {
  expect(parseArguments(['a', '-p', '7', 'b', '--key=x=y', '-cfile', '--insecure'], GRAMMAR)).toEqual({
    values: { port: '7', key: 'x=y', config: 'file', insecure: true },
    positionals: ['a', 'b'],
  })
  expect(parseArguments(['--tag', 'a', '--tag=b'], GRAMMAR).values).toEqual({ tag: ['a', 'b'] })
})

test('the values have the types of their options', () => {
  const { port, insecure, tag } = parseArguments([], GRAMMAR).values
  const typed: [string | undefined, boolean | undefined, readonly string[] | undefined] = [
    port,
    insecure,
    tag,
  ]
  expect(typed).toEqual([undefined, undefined, undefined])
})

test.for([
  [['--prot', '1'], 'unknown option --prot; did you mean --port?'],
  [['--kee=sk-canary'], 'unknown option --kee; did you mean --key?'],
  [['--zzzzzz=sk-canary'], 'unknown option --zzzzzz; see hydra serve --help'],
  [['-x'], 'unknown option -x; see hydra serve --help'],
  [['--toString'], 'unknown option --toString; see hydra serve --help'],
  [['--port'], '--port: expected a value, got none'],
  [['--key', ''], '--key: expected a value, got an empty one'],
  [['--key='], '--key: expected a value, got an empty one'],
  [
    ['--key', '-sk-canary'],
    '--key: expected a value, got an option; a value that begins with - is typed --key=VALUE',
  ],
  [['--insecure=sk-canary'], '--insecure: it takes no value'],
] as const)('%j is refused, and no value is quoted', ([args, message]) => {
  expect(() => parseArguments(args, GRAMMAR)).toThrow(new UsageError(message))
})

test('a value that begins with a dash is taken where there is no doubt', () => {
  expect(parseArguments(['--key=-x', '--config', '-'], GRAMMAR).values).toEqual({ key: '-x', config: '-' })
})

test('the first word ends the leading options, and what follows is left alone', () => {
  expect(parseLeadingOptions(['-p', '1', 'claude', '-p', 'hi', '--help'], GRAMMAR)).toEqual({
    values: { port: '1' },
    rest: ['claude', '-p', 'hi', '--help'],
  })
  expect(parseLeadingOptions(['--insecure', '--', 'claude', '--', 'x'], GRAMMAR).rest).toEqual([
    'claude',
    '--',
    'x',
  ])
  expect(leadingOptions(['-p', '1', '--help', 'claude', '--help'], GRAMMAR.options)).toEqual([
    '-p',
    '1',
    '--help',
  ])
  expect(() => parseLeadingOptions(['--prot', '1', 'claude'], GRAMMAR)).toThrow('did you mean --port?')
})

test('own options are taken out, and all others stay as they were typed', () => {
  const grammar = { command: 'x', options: { out: { type: 'string' }, json: { type: 'boolean' } } } as const
  expect(takeOptions(['--model', 'm', '--out', 'o', '-p', '1', '--json', '--log=debug'], grammar)).toEqual({
    values: { out: 'o', json: true },
    rest: ['--model', 'm', '-p', '1', '--log=debug'],
  })
  expect(takeOptions(['--out=o'], grammar)).toEqual({ values: { out: 'o' }, rest: [] })
  expect(() => takeOptions(['--out'], grammar)).toThrow('--out: expected a value, got none')
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
