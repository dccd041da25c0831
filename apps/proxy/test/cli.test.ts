import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMANDS, HELP } from '../src/cli/commands.ts'
import { runHydra, runHydraHere, startHydra } from './hydra.ts'
import { configFile } from './temporary.ts'
import { startUpstream } from './upstream.ts'

test('without a word it prints the help', async () => {
  expect(await runHydra([])).toEqual({ code: 0, stdout: HELP, stderr: '' })
})

test.each([[['--help']], [['-h']], [['help']], [[]]])('%j prints the help', async (args) => {
  expect(await runHydraHere(args)).toEqual({ code: 0, stdout: HELP, stderr: '' })
})

test.each([
  ['serve', ['serve', '--help']],
  ['serve', ['serve', '--', '-h']],
  ['serve', ['--port', '1', '--help']],
  ['run', ['run', '-h']],
  ['run', ['run', '-p', '1', '--help', 'claude']],
  ['check', ['help', 'check']],
  ['explain', ['explain', '--help']],
])('the help of %s: %j', async (name, args) => {
  const help = COMMANDS.find((command) => command.name === name)?.help
  expect(await runHydraHere(args)).toEqual({ code: 0, stdout: help, stderr: '' })
})

test('the help that a command of run is asked for is its own', async () => {
  const { stdout } = await runHydra(['run', '--port', '0', process.execPath, '--help'])
  expect(stdout).toContain('Usage: node ')
})

test('in a clone the commands that are printed name the script', async () => {
  const env = { npm_package_name: 'hydra', npm_lifecycle_event: 'hydra' }
  expect((await runHydraHere(['zzzzzz'], env)).stderr).toBe(
    "hydra: there is no command 'zzzzzz'; see pnpm hydra --help\n",
  )
  const { stdout } = await runHydraHere(['doctor', '--help'], env)
  expect(stdout).toContain('  pnpm hydra doctor --provider')
})

test('the version is that of the package, with the commit of a clone and the Node that runs it', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const { code, stdout } = await runHydra(['--version'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    new RegExp(
      `^hydra ${version} \\((?:commit [0-9a-f]+(?:, changed)?|from its sources)\\), Node \\d+\\.\\d+\\.\\d+, `,
    ),
  )
})

test('a mistake is told on standard error, with exit code 2', async () => {
  expect(await runHydra(['run'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^hydra: .*\n$/) as string,
  })
})

test.each([
  [['sevre'], "there is no command 'sevre'; did you mean 'serve'?"],
  [['zzzzzz'], "there is no command 'zzzzzz'; see hydra --help"],
  [['serve', '--prot', '1'], 'unknown option --prot; did you mean --port?'],
  [['--prot'], 'unknown option --prot; did you mean --port?'],
  [['explain', 'x', '--modle', 'm'], 'unknown option --modle; did you mean --model?'],
  [['serve', 'claude'], "hydra serve takes options only, got 'claude'; see hydra serve --help"],
  [['run'], 'hydra run needs a command, for example: hydra run claude; --list shows what is known'],
])('%j is a mistake that is told in one line', async (args, message) => {
  expect(await runHydraHere(args)).toEqual({ code: 2, stdout: '', stderr: `hydra: ${message}\n` })
})

test('a port that is taken is told, by one process as by several', async () => {
  const other = await startUpstream(() => {})
  const port = new URL(other.url).port
  const message = `hydra: port ${port} is taken: choose another with --port\n`
  expect(await runHydra(['serve', '--port', port])).toEqual({ code: 2, stdout: '', stderr: message })
  expect(await runHydra(['--port', port, '--workers', '2'])).toEqual({ code: 2, stdout: '', stderr: message })
  await other.close()
})

test('a port that another hydra has says so', async () => {
  const other = await startHydra()
  const { stderr } = await runHydra(['serve', '--port', String(other.port)])
  expect(stderr).toBe(
    `hydra: port ${other.port} is taken by a hydra that runs already: choose another with --port\n`,
  )
  await other.close()
})

const OPEN_DOOR =
  'listening on 0.0.0.0 lets other machines in: set a key with --key or HYDRA_KEY, or type --insecure if you mean it\n'

test.each(['serve', 'check'])('hydra %s refuses to listen off loopback without a key', async (command) => {
  const config = configFile({ host: '0.0.0.0', port: 0 })
  expect(await runHydra([command, '--config', config])).toEqual({
    code: 2,
    stdout: '',
    stderr: `hydra: ${OPEN_DOOR}`,
  })
})

test('hydra doctor has it as a finding', async () => {
  const { code, stdout } = await runHydra(['doctor', '--host', '0.0.0.0', '--port', '0'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: `FAIL ${OPEN_DOOR}` })
})
