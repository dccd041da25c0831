import { readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isJsonObject } from '../../src/json/json-object.ts'
import { chatFaults } from './check-chat-body.ts'
import { FOLDER, goldenCases, outcome, readJson, requestNames } from './fixtures.ts'
import { TYPED_BODIES } from './typed-bodies.ts'
import { UPSTREAM_LIMITS } from './upstream-limits.ts'

const CASES = goldenCases()
const IS_UPDATE = process.env['UPDATE_GOLDENS'] === '1'

/** The bodies for OpenAI itself, to be checked by the compiler against OpenAI's own types. */
function bodiesForOpenAI(): Record<string, unknown> {
  const bodies = CASES.filter(({ profile }) => profile === 'openai').flatMap((golden) => {
    const expected = readJson(golden.golden)
    return isJsonObject(expected) && 'body' in expected ? [[golden.golden, expected['body']] as const] : []
  })
  return Object.fromEntries(bodies)
}

function writeTypedBodies(): void {
  const source = [
    "import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'",
    '',
    '/** The golden bodies for OpenAI, written by UPDATE_GOLDENS=1: this file compiles when they fit its types. */',
    `export const TYPED_BODIES: Readonly<Record<string, ChatCompletionCreateParams>> = ${JSON.stringify(bodiesForOpenAI(), null, 2)}`,
    '',
  ]
  writeFileSync(new URL('typed-bodies.ts', import.meta.url), source.join('\n'))
}

if (IS_UPDATE) {
  for (const golden of CASES)
    writeFileSync(new URL(golden.golden, FOLDER), `${JSON.stringify(outcome(golden), null, 2)}\n`)
  writeTypedBodies()
}

test.each(CASES)('$golden is what becomes of the request', (golden) => {
  expect(outcome(golden)).toEqual(readJson(golden.golden))
})

test.each(CASES)('$golden keeps the order of fields, which prompt caches depend on', (golden) => {
  expect(JSON.stringify(outcome(golden))).toBe(JSON.stringify(readJson(golden.golden)))
})

test.each(CASES)('$golden has a body that the upstream accepts, or an error', ({ golden, profile }) => {
  const expected = readJson(golden)
  const { body, error } = isJsonObject(expected) ? expected : {}
  const faults = error === undefined ? chatFaults(body, UPSTREAM_LIMITS[profile]) : []
  expect(faults).toEqual([])
})

test('the bodies that the compiler checks against the types of OpenAI are the golden ones', () => {
  if (!IS_UPDATE) expect(TYPED_BODIES).toEqual(bodiesForOpenAI())
  expect(Object.keys(bodiesForOpenAI()).length).toBeGreaterThan(32)
})

test('every file of the fixtures is a request, its options or one of its goldens', () => {
  const names = requestNames()
  const goldens = CASES.map(({ golden }) => golden)
  const known = new Set([...goldens, ...names.flatMap((name) => [`${name}.json`, `${name}.options.json`])])
  expect(readdirSync(FOLDER).filter((file) => !known.has(file))).toEqual([])
  expect(names.length).toBeGreaterThan(31)
})
