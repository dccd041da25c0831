import { expect, test } from 'vitest'
import { type Command, commandLines, runProgram } from './run-program.ts'
import type { Environment } from './typed-path.ts'
import { UsageError } from './usage-error.ts'

const echo: Command = {
  name: 'echo',
  summary: 'prints its arguments',
  help: 'Usage: hydra-tape echo',
  async run(args, around) {
    if (args.includes('bad')) throw new UsageError('bad makes no sense; see hydra-tape echo --help')
    if (args.includes('escape')) throw new UsageError('red \u001B[31m')
    if (args.includes('broken')) throw new TypeError('a fault of ours')
    around.out(args.join(' '))
    return 1
  },
}
const start: Command = {
  name: 'start',
  summary: 'starts a command',
  help: 'Usage: hydra-tape start',
  ownArguments: (args) => args.slice(0, 1),
  run: async (args, around) => echo.run(args, around),
}

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function run(
  args: readonly string[],
  options: Environment & { defaultCommand?: string } = {},
): Promise<Ran> {
  const { defaultCommand, ...env } = options
  const written = { out: '', err: '' }
  const code = await runProgram(
    {
      name: 'hydra-tape',
      version: '1.2.3',
      help: `Commands\n${commandLines([echo, start]).join('\n')}\n`,
      commands: [echo, start],
      ...(defaultCommand === undefined ? {} : { defaultCommand }),
    },
    args,
    { out: (text) => void (written.out += text), err: (text) => void (written.err += text), env },
  )
  return { code, ...written }
}

test('a command is given what follows its name, and its exit code is that of the program', async () => {
  expect(await run(['echo', 'a', '--json'])).toEqual({ code: 1, out: 'a --json', err: '' })
})

test.for([[[]], [['--help']], [['-h']], [['help']]])('%j lists the commands', async ([args = []]) => {
  expect(await run(args)).toEqual({
    code: 0,
    out: 'Commands\necho   prints its arguments\nstart  starts a command\n',
    err: '',
  })
})

test.for([[['echo', '--help']], [['echo', 'x', '-h']], [['help', 'echo']]])(
  '%j explains a command',
  async ([args = []]) => {
    expect(await run(args)).toEqual({ code: 0, out: 'Usage: hydra-tape echo\n', err: '' })
  },
)

test('the help that another program is asked for is not ours', async () => {
  expect(await run(['echo', '--', 'claude', '--help'])).toMatchObject({ out: '-- claude --help' })
  expect(await run(['start', 'claude', '--help'])).toMatchObject({ out: 'claude --help' })
  expect(await run(['start', '--help', 'claude'])).toMatchObject({ out: 'Usage: hydra-tape start\n' })
})

test.for([
  [['ecko'], "there is no command 'ecko'; did you mean 'echo'?"],
  [['zzzzzz'], "there is no command 'zzzzzz'; see hydra-tape --help"],
  [['help', 'ech'], "there is no command 'ech'; did you mean 'echo'?"],
  [['--jsn'], 'the command comes first, got --jsn; see hydra-tape --help'],
  [['echo', 'bad'], 'bad makes no sense; see hydra-tape echo --help'],
  [['echo', 'escape'], 'red \\u{1b}[31m'],
] as const)('%j is a mistake, printed in one line', async ([args, message]) => {
  expect(await run(args)).toEqual({ code: 2, out: '', err: `hydra-tape: ${message}\n` })
})

test('options without a command are for the default one', async () => {
  expect(await run(['--json', 'x'], { defaultCommand: 'echo' })).toMatchObject({ out: '--json x' })
  expect(await run(['--json', '-h'], { defaultCommand: 'echo' })).toMatchObject({
    out: 'Usage: hydra-tape echo\n',
  })
})

test('in a clone the commands that are printed name the script', async () => {
  const env = { npm_package_name: 'hydra', npm_lifecycle_event: 'tape' }
  expect((await run(['echo', 'bad'], env)).err).toBe(
    'hydra-tape: bad makes no sense; see pnpm tape echo --help\n',
  )
  expect((await run(['echo', '-h'], env)).out).toBe('Usage: pnpm tape echo\n')
})

test('a fault of ours is not dressed up as a mistake of the user', async () => {
  await expect(run(['echo', 'broken'])).rejects.toThrow(TypeError)
})

test.each([[['--version']], [['echo', '--version']]])('the version is printed for %j', async (args) => {
  expect(await run(args)).toEqual({ code: 0, out: 'hydra-tape 1.2.3\n', err: '' })
})
