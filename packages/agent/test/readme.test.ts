import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const EXAMPLE = fileURLToPath(new URL('../example/weather.ts', import.meta.url))

test('the example of the readme runs and prints what it promises', () => {
  expect(README).toContain(`\`\`\`ts\n${readFileSync(EXAMPLE, 'utf8')}\`\`\``)
  const printed = execFileSync(process.execPath, [EXAMPLE], { encoding: 'utf8' })
  expect(printed).toBe('done It has 21 degrees. 15\nuser assistant tool assistant\n')
})
