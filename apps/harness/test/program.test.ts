import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { runCommandLine } from '../src/cli/run-command-line.ts'
import { exchange, saying } from './exchanges.ts'
import { recordTape, temporaryFolder } from './record-tape.ts'
import { type Ran, runMain } from './run-main.ts'
import { surroundings } from './surroundings.ts'

/** The same without a process, where none is needed. */
async function run(...args: readonly string[]): Promise<Ran> {
  const around = surroundings()
  const code = await runCommandLine(COMMANDS, args, around)
  return { code, ...around.written }
}

test('without a word it says what it can do', async () => {
  const { code, out } = await runMain([])
  expect(code).toBe(0)
  for (const { name, summary } of COMMANDS) expect(out).toContain(`  ${name.padEnd(7)}  ${summary}\n`)
})

test.for(COMMANDS.map(({ name }) => name))(
  '%s --help has an example that begins with its name',
  async (name) => {
    const { code, out, err } = await run(name, '--help')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(new RegExp(`Examples?\\n(?:.*\\n)*? +.*hydra-tape ${name}`))
  },
)

test('an unknown command is told in one line, with what was meant', async () => {
  expect(await runMain(['regres'])).toEqual({
    code: 2,
    out: '',
    err: "hydra-tape: there is no command 'regres'; did you mean 'regress'?\n",
  })
})

test.for([
  [['regress', '--trough', 'all'], 'unknown option --trough; did you mean --through?'],
  [['regress', '--through', 'koa'], "--through: expected core, express, fastify, hono, all, got 'koa'"],
  [['regress', '--update', '--through', 'all'], '--update takes what comes out of the translator itself'],
  [['regress', 'nowhere'], 'there is no such folder'],
  [['chaos'], 'which tape?'],
  [['chaos', 'x', '--seed', 'x'], "--seed: expected a whole number, got 'x'"],
  [['chaos', 'x', '--cases', 'cuts'], "got 'cuts'"],
  [['chaos', 'x', '--limit', '0'], "--limit: expected at least 4, got '0'"],
  [['shrink', 'a', '--out', 'b', '--check', 'chaos', '--limit', '3'], '--limit: expected at least 4'],
  [['shrink', 'a', 'b'], 'shrink takes one tape'],
  [['shrink', 'a'], '--out DIR is missing'],
  [['record', '--bogus', '--', 'true'], 'unknown option --bogus'],
  [['record', '--port', '99999', '--', 'true'], '99999'],
  [['record', 'true'], 'the command comes behind --, as in: hydra-tape record -- true'],
  [['record', '--model', 'm', 'true'], "takes options only, got 'true'"],
  [['record', '--'], 'expected a command behind --'],
  [['record', '--out', join(import.meta.filename, 'x', 'y'), '--', 'true'], 'nothing can be recorded in'],
] as const)('%j is a mistake of one line', async ([args, words]) => {
  const { code, out, err } = await run(...args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(words)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
})

test('a tape gets its expected answers, keeps them, and a change is shown and reported', async () => {
  const folder = recordTape([exchange()])
  const missing = await run('regress', folder)
  expect(missing.code).toBe(1)
  expect(missing.out).toContain('there is no expect/001.anthropic.sse')
  expect((await run('regress', folder, '--update')).code).toBe(0)
  expect(await runMain(['regress', folder])).toEqual({
    code: 0,
    out: 'passed: 1 tape, 1 exchange as expected\n',
    err: '',
  })
  const golden = join(folder, 'expect', '001.anthropic.sse')
  writeFileSync(golden, readFileSync(golden, 'utf8').replace('Hello', 'Goodbye'))
  const report = join(temporaryFolder(), 'junit.xml')
  const changed = await runMain(['regress', folder, '--junit', report])
  expect(changed.code).toBe(1)
  expect(changed.out).toMatch(/^- content_block_delta .*Goodbye/m)
  expect(changed.out).toMatch(/^\+ content_block_delta .*Hello/m)
  // oxlint-disable-next-line no-control-regex -- a pipe is no terminal, so there must be none
  expect(changed.out).not.toMatch(/\u001B/)
  expect(readFileSync(report, 'utf8')).toContain('failures="1"')
  const json = JSON.parse((await run('regress', folder, '--json')).out) as { readonly ok: boolean }
  expect(json.ok).toBe(false)
})

test('without a name it takes the tapes of the repository it is in', async () => {
  const root = temporaryFolder()
  for (const name of ['one', 'two']) recordTape([exchange()], join(root, 'fixtures', 'tapes', name))
  const below = join(root, 'packages', 'x')
  mkdirSync(below, { recursive: true })
  expect((await runMain(['regress', '--update'], { folder: below })).out).toContain('2 tapes')
  const { code, out } = await runMain(['regress'], { folder: below })
  expect([code, out]).toEqual([0, 'passed: 2 tapes, 2 exchanges as expected\n'])
})

test('chaos counts what it did, and one case can be had alone', async () => {
  const folder = recordTape([exchange({ pieces: saying('Grüße') })])
  const all = await run('chaos', folder, '--seed', '7', '--runs', '50', '--sockets', '2')
  expect([all.code, all.err]).toEqual([0, ''])
  expect(all.out).toMatch(
    /^tape: 1 answers, seed 7: cut \d+, reset \d+, stall \d+, split \d+, pieces 52, mutate 50/,
  )
  const one = await run('chaos', folder, '--seed', '7', '--cases', 'cut', '--offset', '12', '--json')
  expect(JSON.parse(one.out)).toMatchObject({
    ok: true,
    seed: 7,
    tapes: [{ checked: { cut: 1 }, failures: [] }],
  })
})

test('a case that there is not is a mistake and no success', async () => {
  const folder = recordTape([exchange()])
  const { code, err } = await run('chaos', folder, '--exchange', '9')
  expect([code, err]).toEqual([2, 'hydra-tape: there is no such case: nothing was checked\n'])
})

const QUICK = ['--seed', '7', '--runs', '5', '--sockets', '0', '--limit', '10']

test('chaos and shrink tell of a damaged tape, and so does their exit code', async () => {
  const folder = recordTape([exchange()])
  appendFileSync(join(folder, 'tape.jsonl'), '[99,1,2,"c>","req",{"method":"PO')
  const chaos = await run('chaos', folder, ...QUICK)
  expect(chaos.code).toBe(1)
  expect(chaos.out).toMatch(/^ {2}line \d+: /m)
  expect(JSON.parse((await run('chaos', folder, ...QUICK, '--json')).out)).toMatchObject({
    ok: false,
    tapes: [{ problems: [{ line: expect.any(Number) as number }], failures: [] }],
  })
  const shrink = await run('shrink', folder, '--out', join(temporaryFolder(), 'small'))
  expect(shrink.code).toBe(1)
  expect(shrink.err).toMatch(/tape, line \d+: /)
  expect(shrink.out).toContain('it fails: ')
})

test('a tape that cannot be read does not take with it what chaos finds on the others', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a'))
  writeFileSync(join(root, 'a', 'tape.jsonl'), 'nonsense\n')
  recordTape([exchange()], join(root, 'b'))
  recordTape([{ ...exchange(), calls: [] }], join(root, 'c'))
  const { code, out } = await run('chaos', root, ...QUICK)
  expect(code).toBe(1)
  expect(out).toMatch(/^a: .*nothing was checked\n {2}line 1: cannot be read: /m)
  expect(out).toMatch(/^b: 1 answers, seed 7: cut 10,/m)
  expect(out).toContain('failed: 3 tapes, 59 cases, 0 failures, 1 damaged\n')
  expect(out).toContain('  nothing was checked of c: no upstream was called\n')
  const json = JSON.parse((await run('chaos', root, ...QUICK, '--json')).out) as { tapes: unknown[] }
  expect(json.tapes).toHaveLength(3)
})

test.for(['SIGINT', 'SIGTERM'] as const)('%s ends long work with a word about it', async (signal) => {
  const short = recordTape([exchange()])
  const long = recordTape([exchange({ pieces: saying(...Array.from({ length: 400 }, () => 'word ')) })])
  const { code, out } = await runMain(
    ['chaos', short, long, '--seed', '7', '--runs', '10', '--sockets', '0'],
    {
      // Its first word is about the short one, so the long one has begun.
      started: (child) => child.stdout.once('data', () => child.kill(signal)),
    },
  )
  expect(code).toBe(1)
  expect(out).toContain('stopped before the end')
})

test('a tape that is no tape is named with its line', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tape.jsonl'), 'nonsense\n')
  const chaos = await run('chaos', folder)
  expect(chaos.code).toBe(2)
  expect(chaos.err).toContain('tape.jsonl')
  const regress = await run('regress', folder)
  expect(regress.code).toBe(1)
  expect(regress.out).toContain('tape.jsonl')
})

test('the README shows every command with an example', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const { name } of COMMANDS) expect(readme).toMatch(new RegExp(`^hydra-tape ${name}\\b`, 'm'))
})
