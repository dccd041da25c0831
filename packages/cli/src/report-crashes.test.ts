import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test.each([
  'throw new TypeError(word)',
  'setTimeout(() => { throw new TypeError(word) })',
  'await (async () => { throw new TypeError(word) })()',
])('what nobody catches ends the program, without the line of its source: %s', (code) => {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'program.mjs')
  const kit = new URL('./report-crashes.ts', import.meta.url).href
  const word = "const word = ['un', 'expected'].join('')"
  writeFileSync(file, `import { reportCrashes } from '${kit}'; reportCrashes('example'); ${word}; ${code}\n`)
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^example: this is a fault of example, please report it: TypeError: unexpected\n {4}at /,
  )
  expect(stderr).not.toContain('const word')
})
