import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTape, verifyTape } from '@hydra/tape'
import { expect, test } from 'vitest'
import { temporaryFolder } from './record-tape.ts'
import { type Ran, runMain } from './run-main.ts'
import { WEATHER } from './weather-tape.ts'

const PROGRAM = [process.execPath, fileURLToPath(new URL('weather-program.ts', import.meta.url))]

/** A folder to work in, with a copy of the recorded session in it. */
function workplace(weather = '4 degrees, rain'): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'weather.txt'), weather)
  cpSync(WEATHER, join(folder, 'session'), { recursive: true })
  return folder
}

function rerun(folder: string, options: readonly string[] = [], env = {}): Promise<Ran> {
  return runMain(['rerun', 'session', ...options, '--', ...PROGRAM], { folder, env })
}

test('an agent whose tools say what they said then goes the recorded way', async () => {
  const { code, out, err } = await rerun(workplace(), ['--strict'])
  expect([code, out]).toEqual([0, 'It is 4 degrees in Oslo, and it rains.\n'])
  expect(err.trimEnd().split('\n').at(-1)).toBe(
    'passed: 2 exchanges replayed, tools said what they said then',
  )
})

test('what a tool says now is told as drift, small or large, and fails if that is asked for', async () => {
  const small = await rerun(workplace('5 degrees, rain'))
  expect(small.code).toBe(0)
  expect(small.err).toContain(
    'exchange 2: small drift of get_weather: "4 degrees, rain" then, "5 degrees, rain" now\n',
  )
  expect(small.err).toContain('passed: 2 exchanges replayed, tools drifted: 1 small\n')
  const folder = workplace('no idea')
  const large = await rerun(folder, ['--strict', '--junit', 'report.xml'])
  expect(large.code).toBe(1)
  expect(large.err).toContain('failed: tools drifted: 1 large\n')
  expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain(
    '<testsuite name="session" tests="3" failures="1" skipped="0">',
  )
})

test('an agent that asks for something else fails, and is told what', async () => {
  const { code, err } = await rerun(workplace(), [], { QUESTION: 'What is the weather in Rome?' })
  expect(code).toBe(1)
  expect(err.trimEnd().split('\n').at(-1)).toMatch(
    /^failed: no recording answers .* is "What is the weather in Oslo\?" and not "What is the weather in Rome\?".*ended with 1$/,
  )
})

test('a session goes on with another model from where it is forked, and both are compared', async () => {
  const folder = workplace()
  const forked = await runMain(['fork', 'session', '--at', '1', '--', ...PROGRAM], { folder })
  expect(forked.code, forked.err).toBe(0)
  expect(forked.err).toMatch(
    /passed: 1 exchange replayed, 1 of the other model, recorded in .*session-fork-1\n$/,
  )
  const tape = readTape(join(folder, 'session-fork-1'))
  expect(verifyTape(tape)).toEqual([])
  expect(tape.exchanges).toHaveLength(2)
  const models = tape.exchanges.map(({ calls }) => calls.map(({ via }) => [via?.upstream, via?.model]))
  expect(models).toEqual([[['scripted', 'scripted']], [['demo', 'demo']]])
  expect(tape.exchanges[1]?.end?.cost).toEqual({
    unknown: expect.stringContaining('no price list') as string,
  })
  const compare = ['compare', 'session=.', 'session-fork-1', '--verify', 'test -f weather.txt']
  const compared = await runMain(compare, { folder })
  expect(compared.code, compared.err).toBe(0)
  expect(compared.out).toMatch(/^ +session +session-fork-1$/m)
  expect(compared.out).toMatch(/^turns +2 +2$/m)
  expect(compared.out).toMatch(/^model +scripted +scripted, demo$/m)
  expect(compared.out).toMatch(/^cost +not known +not known$/m)
  expect(compared.out).toMatch(/^verify +passed +passed$/m)
  expect(compared.out).toContain('session ends with: It is 4 degrees in Oslo, and it rains.\n')
  const failing = await runMain([...compare.slice(0, -1), 'false', '--json'], { folder })
  expect(failing.code).toBe(1)
  expect(JSON.parse(failing.out)).toMatchObject([
    { turns: 2, tools: { get_weather: 1 }, verdict: 'failed' },
    { turns: 2, verdict: 'failed' },
  ])
})

test.each<[readonly string[], string]>([
  [['rerun', 'session'], 'rerun: expected a command behind --'],
  [['fork', 'session', '--', 'x'], 'fork: expected --at N'],
  [['fork', 'session', '--at', '9', '--', 'x'], '--at: the tape ends with exchange 2'],
  [['fork', 'session', '--at', '1', '--to', 'gpt', '--', 'x'], '--to: expected PROVIDER:MODEL'],
  [['fork', 'session', '--at', '1', '--to', 'opnai:gpt', '--', 'x'], '--to opnai:gpt: expected one of'],
  [['rerun', 'nowhere', '--', 'x'], 'nowhere'],
  [['compare'], 'compare: expected tapes'],
  [['compare', 'session=nowhere', '--verify', 'true'], 'session: there is no folder nowhere'],
])('%j makes no sense, and that is said in one line', async (args, message) => {
  const folder = workplace()
  const { code, err } = await runMain(args, { folder })
  expect(code).toBe(2)
  expect(err).toContain(message)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(existsSync(join(folder, 'session-fork-1'))).toBe(false)
})
