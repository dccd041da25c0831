import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTape } from '@hydra/tape'
import { expect, test } from 'vitest'
import { exchange, REQUEST } from './exchanges.ts'
import { recordTape, temporaryFolder } from './record-tape.ts'
import { runMain } from './run-main.ts'

const ASK = `
const headers = { 'content-type': 'application/json', authorization: 'Bearer any' }
const body = ${JSON.stringify(JSON.stringify(REQUEST))}
await (await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })).text()
`
const CLIENT = ['--', process.execPath, '--input-type=module', '-e', ASK]

test('a command that is not there is told in one line', async () => {
  const { code, err } = await runMain(['record', '--', 'no-such-command'], { folder: temporaryFolder() })
  expect(code).toBe(2)
  expect(err).toContain('hydra-tape: no-such-command was not found: is it installed?\n')
  expect(err).not.toMatch(/^\s+at /m)
})

test('what was recorded is told with commands that work as they are', async () => {
  const folder = temporaryFolder()
  const { code, err } = await runMain(['record', ...CLIENT], { folder })
  expect(code).toBe(0)
  const [, shown = ''] = /recorded 1 exchanges in (\S+)\n/.exec(err) ?? []
  expect(err).toContain(
    `  look at it: hydra-tape show ${shown}; play it: hydra-tape serve ${shown} --as proxy\n`,
  )
  expect(readTape(join(folder, shown)).exchanges).toHaveLength(1)
})

test('in a clone they name the script, and paths begin where it was typed', async () => {
  const folder = temporaryFolder()
  const env = { npm_package_name: 'hydra', npm_lifecycle_event: 'tape', INIT_CWD: folder }
  const { err } = await runMain(['record', '--out', 'mine', ...CLIENT], { env })
  const [, shown = ''] = /recorded 1 exchanges in (mine\/\S+)\n/.exec(err) ?? []
  expect(err).toContain(`play it: pnpm tape serve ${shown} --as proxy\n`)
  expect(readTape(join(folder, shown)).exchanges).toHaveLength(1)
})

test('only the tapes that were written to are told, also to programs', async () => {
  const folder = temporaryFolder()
  recordTape([exchange()], join(folder, 'tapes', 'old'))
  mkdirSync(join(folder, 'tapes', 'broken'))
  writeFileSync(join(folder, 'tapes', 'broken', 'tape.jsonl'), 'no tape\n')
  const { err } = await runMain(['record', '--json', ...CLIENT], { folder })
  const told = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '') as object
  expect(told).toEqual({ tapes: [{ folder: expect.any(String) as string, exchanges: 1, secrets: 0 }] })
})

test('without a command programs read JSON on standard output, and nothing else', async () => {
  const { code, out } = await runMain(['record', '--json', '--port', '0'], {
    folder: temporaryFolder(),
    started: (child) => child.stdout.once('data', () => child.kill('SIGTERM')),
  })
  const lines = out.trimEnd().split('\n')
  const values = lines.map((line) => JSON.parse(line) as object)
  expect(code).toBe(0)
  expect(values.at(0)).toMatchObject({ msg: 'listening' })
  expect(values.at(-1)).toEqual({ tapes: [] })
})

test('a command that asked nothing leaves no false word about it', async () => {
  const { err } = await runMain(['record', '--', process.execPath, '-e', ''], { folder: temporaryFolder() })
  expect(err).toContain('nothing was recorded: no request came, or a message above says why')
})
