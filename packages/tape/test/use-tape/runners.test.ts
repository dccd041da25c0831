import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedModel } from './scripted-model.ts'

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))

const ASK = `const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: process.env.ASKED ?? 'Hello' }] })
const ask = async () => {
  const response = await fetch(process.env.MODEL_URL + '/chat/completions', { method: 'POST', body })
  if (!response.ok) throw Object.assign(new Error('the model refused'), { headers: [...response.headers], body: await response.text() })
  return response.text()
}
`

const VITEST = `import { describe, expect, test } from 'vitest'
import { useTape } from '@hydra/tape/vitest'
${ASK}
describe('model', () => {
  test('says (hello)', async () => {
    await useTape()
    expect(await ask()).toContain('Hel')
  })
  test('says (hello) again', async () => {
    await useTape()
    expect(await ask()).toContain('Hel')
  })
})
`

const NODE = `import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useTape } from '@hydra/tape/test'
${ASK}
describe('model', () => {
  for (const name of ['says (hello)', 'says (hello) again']) {
    test(name, async (t) => {
      await useTape(t)
      assert.match(await ask(), /Hel/)
    })
  }
})
`

interface Run {
  readonly code: number | null
  readonly output: string
}

/** Types the command that a stale tape says, and holds that it records that tape and no other one. */
async function expectToRecord(output: string): Promise<void> {
  const [, command = ''] = /^to record it anew: (.*)$/m.exec(output) ?? []
  await using model = await scriptedModel()
  const typed = command.replace('npx ', 'node_modules/.bin/').replace(' node ', ` ${process.execPath} `)
  const recorded = await run(['sh', '-c', typed], { MODEL_URL: model.url, ASKED: 'Bye' })
  expect(recorded, typed + recorded.output).toMatchObject({ code: 0 })
  expect(model.requests, typed).toBe(1)
}

/** A folder inside of this package, because only there its name is known. */
function project(file: string, text: string): string {
  const folder = mkdtempSync(join(PACKAGE, 'test/use-tape/project-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, file), text)
  return folder
}

function run(command: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    const { CI: _ci, HYDRA_TAPE: _tape, ...rest } = process.env
    const child = spawn(program, args, { cwd: PACKAGE, env: { ...rest, NO_COLOR: '1', ...env } })
    const pieces: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(pieces).toString() }))
  })
}

// Each starts a runner four times, which takes its time on a busy machine.
const TIMEOUT = { timeout: 120_000 }

test(
  'in vitest a test is recorded once, runs without a model, and prints nothing but the difference',
  TIMEOUT,
  async () => {
    const folder = project('model.test.ts', VITEST)
    const file = relative(PACKAGE, join(folder, 'model.test.ts'))
    const command = ['node_modules/.bin/vitest', 'run', file]
    {
      await using model = await scriptedModel()
      const recorded = await run(command, { MODEL_URL: model.url })
      expect(recorded, recorded.output).toMatchObject({ code: 0 })
      expect(model.requests).toBe(2)
    }
    const env = { MODEL_URL: 'http://127.0.0.1:9/v1', CI: 'true' }
    const replayed = await run(command, env)
    expect(replayed, replayed.output).toMatchObject({ code: 0 })
    const failed = await run(command, { ...env, ASKED: 'Bye' })
    expect(failed.code).toBe(1)
    const [, shown = ''] = failed.output.split(/ FAIL .*\n/)
    expect(shown.split('⎯⎯')[0]).toBe(
      `StaleTape: the tape ${folder}/__tapes__/model.test.ts/model-says-hello no longer fits the test:\n` +
        '- no recording answers POST /v1/chat/completions: the nearest is exchange 1 where messages[0].content is "Hello" and not "Bye"\n' +
        `to record it anew: HYDRA_TAPE=record npx vitest run ${file} -t '^model( >)? says \\(hello\\)$'\n`,
    )
    await expectToRecord(shown)
  },
)

test(
  'in node:test a test is recorded once, runs without a model, and says what differs',
  TIMEOUT,
  async () => {
    const folder = project('model.test.mjs', NODE)
    const command = [process.execPath, '--test', join(folder, 'model.test.mjs')]
    {
      await using model = await scriptedModel()
      const recorded = await run(command, { MODEL_URL: model.url })
      expect(recorded, recorded.output).toMatchObject({ code: 0 })
      expect(model.requests).toBe(2)
    }
    const env = { MODEL_URL: 'http://127.0.0.1:9/v1', CI: 'true' }
    const replayed = await run(command, env)
    expect(replayed, replayed.output).toMatchObject({ code: 0 })
    const failed = await run(command, { ...env, ASKED: 'Bye' })
    expect(failed.code).toBe(1)
    expect(failed.output).toMatch(
      /no longer fits the test:\n.* is "Hello" and not "Bye"\n.*HYDRA_TAPE=record node --test --test-name-pattern='\^model says /,
    )
    await expectToRecord(failed.output)
  },
)
