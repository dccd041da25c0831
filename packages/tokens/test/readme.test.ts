import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const EXAMPLE = fileURLToPath(new URL('../example/count.ts', import.meta.url))

test('the example of the readme prints a count', () => {
  expect(README).toContain(`\`\`\`ts\n${readFileSync(EXAMPLE, 'utf8')}\`\`\``)
  expect(execFileSync(process.execPath, [EXAMPLE], { encoding: 'utf8' })).toBe('12\n')
})
