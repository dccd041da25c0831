import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the example of the README runs', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const options = { cwd: new URL('..', import.meta.url), encoding: 'utf8' } as const
  expect(
    execFileSync(process.execPath, ['--input-type=module-typescript', '-e', example], options),
  ).toContain('Hello Ada')
})
