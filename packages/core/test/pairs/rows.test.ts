import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { streamFixtures } from '../streams/fixtures.ts'
import { PLAIN_SOURCES } from './played-fixtures.ts'

const CORE = fileURLToPath(new URL('../../', import.meta.url))
const DOCUMENT = readFileSync(`${CORE}../../docs/dialects/openai-responses.md`, 'utf8')

function rowsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, row]) => String(row)))].toSorted()
}

test('every row about the Responses API is a test, and every such test a row', () => {
  const files = globSync('src/dialects/openai-responses/*.test.ts', { cwd: CORE })
  const source = files.map((file) => readFileSync(`${CORE}${file}`, 'utf8')).join('\n')
  const tested = rowsIn(source, /['"`]([PS]\d+): /g)
  expect(tested.length).toBeGreaterThan(30)
  expect(rowsIn(DOCUMENT, /^\| ([PS]\d+) +\|/gm)).toEqual(tested)
})

test.for(PLAIN_SOURCES)('every answer of $upstream in the fixtures is a row', ({ upstream, folder }) => {
  const names = streamFixtures(folder).map(({ name }) => name)
  const document = readFileSync(`${CORE}../../docs/dialects/${upstream}.md`, 'utf8')
  const rows = rowsIn(document, /^\| `([a-z0-9-]+)` +\|/gm)
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !rows.includes(name))).toEqual([])
})
