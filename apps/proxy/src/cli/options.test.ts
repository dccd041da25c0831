import { expect, test } from 'vitest'
import { HELP } from './help.ts'
import { OPTIONS, parseOnlyOptions, parseOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

test('options come with their values in any of the usual forms', () => {
  expect(parseOnlyOptions('serve', ['-p', '1', '--model=m', '--insecure', '-cfile'])).toEqual({
    port: '1',
    model: 'm',
    insecure: true,
    config: 'file',
  })
})

test('the first word that is no option ends them, and what follows is left alone', () => {
  expect(parseOptions(['-p', '1', 'claude', '-p', 'hi', '--model', 'x'])).toEqual({
    options: { port: '1' },
    rest: ['claude', '-p', 'hi', '--model', 'x'],
  })
  expect(parseOptions(['--insecure', '--', 'claude', '--', 'x']).rest).toEqual(['claude', '--', 'x'])
})

test('the separator of a package manager is no word', () => {
  expect(parseOnlyOptions('serve', ['--', '--port', '1'])).toEqual({ port: '1' })
})

test.each([
  [['--prot', '1'], 'unknown option --prot; see hydra --help'],
  [['--kee=sk-canary'], 'unknown option --kee; see hydra --help'],
  [['-x'], 'unknown option -x; see hydra --help'],
  [['--port'], "Option '-p, --port <value>' argument missing"],
  [['--key', '-sk-canary'], "Option '--key' argument is ambiguous."],
  [['--insecure=yes'], "Option '--insecure' does not take an argument"],
  [['--key', ''], '--key: expected a value, got an empty one'],
  [['--port', '1', 'now'], "hydra serve takes options only, got 'now'; see hydra --help"],
])('%j is refused, and no value is quoted', (args, message) => {
  expect(() => parseOnlyOptions('serve', args)).toThrow(new UsageError(message))
})

test.each(Object.keys(OPTIONS))('the help names --%s', (name) => {
  expect(HELP).toContain(`--${name} `)
})
