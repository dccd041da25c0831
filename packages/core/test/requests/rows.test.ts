import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const CORE = fileURLToPath(new URL('../../', import.meta.url))

function rows(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
}

/** The rows of the contract that the name of some test begins with. */
function testedRows(): Set<string> {
  const files = globSync('{src,test}/**/*.test.ts', { cwd: CORE })
  const source = files.map((file) => readFileSync(`${CORE}${file}`, 'utf8')).join('\n')
  return new Set([...source.matchAll(/['"`]([RH]\d+): /g)].map(([, row]) => String(row)))
}

test('every row of the contract for requests and histories has a test that bears its name', () => {
  const tested = testedRows()
  expect([...rows('R', 34), ...rows('H', 6)].filter((row) => !tested.has(row))).toEqual([])
})
