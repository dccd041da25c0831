import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const CORE = fileURLToPath(new URL('../../', import.meta.url))

test('every row about clients of Chat Completions is a test, and every such test a row', () => {
  const files = globSync(['src/dialects/openai-chat/*.test.ts', 'test/chat-client/*.test.ts'], { cwd: CORE })
  const source = files.map((file) => readFileSync(`${CORE}${file}`, 'utf8')).join('\n')
  const document = readFileSync(`${CORE}../../docs/dialects/openai-chat.md`, 'utf8')
  const tested = new Set([...source.matchAll(/['"`](K\d+): /g)].map(([, row]) => String(row)))
  const rows = new Set([...document.matchAll(/^\| (K\d+) +\|/gm)].map(([, row]) => String(row)))
  expect(tested.size).toBeGreaterThan(40)
  expect([...rows].toSorted((one, other) => one.localeCompare(other))).toEqual(
    [...tested].toSorted((one, other) => one.localeCompare(other)),
  )
})
