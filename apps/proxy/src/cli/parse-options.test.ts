import { UsageError } from '@hydra/cli'
import { expect, test } from 'vitest'
import { OPTIONS } from '../settings/options.ts'
import { PROVIDERS } from '../settings/providers.ts'
import { COMMANDS, HELP } from './commands.ts'
import { parseOnlyOptions, parseOptions } from './parse-options.ts'

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
    list: false,
    speak: undefined,
    rest: ['claude', '-p', 'hi', '--model', 'x'],
  })
  expect(parseOptions(['--insecure', '--', 'claude', '--', 'x']).rest).toEqual(['claude', '--', 'x'])
})

test('the separator of a package manager is no word', () => {
  expect(parseOnlyOptions('serve', ['--', '--port', '1'])).toEqual({ port: '1' })
})

test.each([
  [['--prot', '1'], 'unknown option --prot; did you mean --port?'],
  [['--kee=sk-canary'], 'unknown option --kee; did you mean --key?'],
  [['--verison'], 'unknown option --verison; did you mean --version?'],
  [['-x'], 'unknown option -x; see hydra serve --help'],
  [['--key', ''], '--key: expected a value, got an empty one'],
  [['--port', '1', 'now'], "hydra serve takes options only, got 'now'; see hydra serve --help"],
])('%j is refused, and no value is quoted', (args, message) => {
  expect(() => parseOnlyOptions('serve', args)).toThrow(new UsageError(message))
})

test('a mistake before the command of run names its help', () => {
  expect(() => parseOptions(['--zzzzzz', 'claude'])).toThrow('unknown option --zzzzzz; see hydra run --help')
})

test.each(COMMANDS)('the help of $name has a usage and an example of it', ({ name, help }) => {
  expect(help).toContain(`Usage\n  hydra ${name} `)
  expect(help).toMatch(new RegExp(`Examples\\n(?:.*\\n)*? +.*hydra ${name}`))
})

/** Commands that call no provider. */
const WITHOUT_PROVIDERS: ReadonlySet<string> = new Set(['statusline', 'keys', 'usage', 'import'])

test.each(COMMANDS.filter(({ name }) => !WITHOUT_PROVIDERS.has(name)))(
  'the help of $name has the providers',
  ({ help }) => {
    for (const provider of Object.keys(PROVIDERS)) expect(help).toMatch(new RegExp(`^  ${provider} `, 'm'))
  },
)

test('the help lists the commands, and the help of serve every option with its variable', () => {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  for (const { name, summary } of COMMANDS) expect(HELP).toContain(`  ${name.padEnd(width)}  ${summary}\n`)
  const serve = COMMANDS.find(({ name }) => name === 'serve')?.help
  for (const [name, spec] of Object.entries(OPTIONS)) {
    expect(serve).toContain(`--${name} `)
    if ('variable' in spec) expect(serve).toContain(`[${spec.variable}]`)
  }
})
