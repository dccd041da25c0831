import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { geminiFixtures } from './translator.ts'

const CORE = fileURLToPath(new URL('../../', import.meta.url))
const DOCUMENT = readFileSync(`${CORE}../../docs/dialects/gemini.md`, 'utf8')

const files = globSync(['src/dialects/gemini/*.test.ts', 'test/gemini/*.test.ts'], { cwd: CORE })
const source = files.map((file) => readFileSync(`${CORE}${file}`, 'utf8')).join('\n')

/** The rows that a text names. */
function rowsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, row]) => String(row)))].toSorted()
}

test('every row of the dialect is a test, and every such test a row', () => {
  const tested = rowsIn(source, /['"`](G\d+): /g)
  expect(tested.length).toBeGreaterThan(60)
  expect(rowsIn(DOCUMENT, /^\| (G\d+) +\|/gm)).toEqual(tested)
})

test('every answer of Gemini in the fixtures is a row', () => {
  const table = DOCUMENT.slice(DOCUMENT.indexOf('| fixture'), DOCUMENT.indexOf('### Errors'))
  const named = rowsIn(table.replaceAll(/^(\|[^|]*\|).*$/gm, '$1'), /`([a-z0-9-]+)`/g)
  expect(named).toEqual(
    geminiFixtures()
      .map(({ name }) => name)
      .toSorted(),
  )
})
