import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { testedProgram } from '@hydra/release/tested-program'
import { expect, test } from 'vitest'
import { EXPLAIN_HELP } from '../src/explain/explain-options.ts'
import { runHydra } from './hydra.ts'

test('hydra explain has a help of its own', async () => {
  expect(await runHydra(['explain', '--help'])).toEqual({ code: 0, stdout: EXPLAIN_HELP, stderr: '' })
})

test('a mistake is told in one line, with exit code 2', async () => {
  expect(await runHydra(['explain', 'no-such-file'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `hydra: ${resolve('no-such-file')}: there is no such file\n`,
  })
})

test('a request on standard input is explained as JSON', async () => {
  const child = spawn(process.execPath, [testedProgram('hydra'), 'explain', '-', '--json'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end('{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}')
  expect(JSON.parse(await text(child.stdout))).toMatchObject({
    source: 'standard input',
    input: [
      { role: 'user', blocks: [{ words: '"Hi"', fate: 'arrived', to: [{ path: 'messages[0].content' }] }] },
    ],
    output: [{ role: 'user', from: ['[0].0'] }],
    findings: [],
  })
})
