import { expect, test } from 'vitest'
import { surroundings } from '../../test/surroundings.ts'
import { type Command, UsageError } from '../command.ts'
import { runCommandLine } from './run-command-line.ts'

const echo: Command = {
  name: 'echo',
  summary: 'says what it was told',
  help: 'Usage: hydra-tape echo',
  async run(args, around) {
    if (args.includes('bad')) throw new UsageError('bad makes no sense')
    if (args.includes('broken')) throw new TypeError('a fault of ours')
    around.out(args.join(' '))
    return 1
  },
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const around = surroundings()
  const code = await runCommandLine([echo], args, around)
  return { code, out: around.written.out, err: around.written.err }
}

test('a command is given what follows its name, and its exit code is ours', async () => {
  expect(await run('echo', 'a', '--json')).toEqual({ code: 1, out: 'a --json', err: '' })
})

test.for([[], ['--help'], ['-h'], ['help']])('%j lists the commands', async (args) => {
  const { code, out } = await run(...args)
  expect(code).toBe(0)
  expect(out).toContain('  echo  says what it was told\n')
})

test.for([
  ['echo', '--help'],
  ['echo', 'x', '-h'],
  ['help', 'echo'],
])('%j explains a command', async (args) => {
  expect(await run(...args)).toEqual({ code: 0, out: 'Usage: hydra-tape echo\n', err: '' })
})

test('what follows -- belongs to another program', async () => {
  expect(await run('echo', '--', 'claude', '--help')).toMatchObject({ out: '-- claude --help' })
})

test.for([
  [['ecko'], "hydra-tape: there is no command 'ecko'; did you mean 'echo'?\n"],
  [['zzzzzz'], "hydra-tape: there is no command 'zzzzzz'; see hydra-tape --help\n"],
  [['help', 'ech'], "hydra-tape: there is no command 'ech'; did you mean 'echo'?\n"],
  [['--jsn'], 'hydra-tape: the command comes first, got --jsn; see hydra-tape --help\n'],
  [['echo', 'bad'], 'hydra-tape: bad makes no sense\n'],
] as const)('%j is a mistake, told in one line', async ([args, err]) => {
  expect(await run(...args)).toEqual({ code: 2, out: '', err })
})

test('a fault of ours is not dressed up as a mistake of the user', async () => {
  await expect(run('echo', 'broken')).rejects.toThrow(TypeError)
})

test('the version is that of the package', async () => {
  expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})
