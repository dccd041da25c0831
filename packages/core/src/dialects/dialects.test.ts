import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Dialect } from './dialect.ts'
import { registry } from './registry.ts'

const DIALECTS: readonly Dialect[] = registry.all

const ALWAYS = ['index', 'wire']
const CLIENT = ['decode-request', 'encode-response', 'encode-stream', 'endpoints', 'error', 'routed-parts']
const UPSTREAM = ['encode-request', 'decode-response', 'decode-stream', 'error', 'outline', 'profile']

/**
 * Everything else that a dialect may be made of. The list is closed: a new name is a decision, made here, so that
 * a reader who knows one folder finds the way in all of them.
 */
const HELPERS: ReadonlySet<string> = new Set([
  // Both directions.
  'profile',
  'content',
  'ids',
  'stop-reason',
  'thinking',
  'tools',
  'usage',
  // Answers that consist of items: their queue, the kinds of them, and their parts.
  'items',
  'item-kinds',
  'missing-items',
  'message-item',
  'search-item',
  'parts',
  // The block of an answer that is open, what waits for its end, and the input of a call.
  'open-block',
  'call-input',
  // What an answer cites.
  'citations',
  // Requests of a dialect that is far from the hub: what their parts share, then one part each.
  'encoding',
  'messages',
  'message-list',
  'assistant-turn',
  'schema',
  'schema-references',
  'parameters',
  'effort',
  // Between a client and an upstream that both speak it: the request as it came, and what is kept of the answer.
  'relay-request',
  'keep-relayed',
  'fail-relayed',
  // What an upstream is to cache.
  'cache-marks',
  // Requests of clients of such a dialect: what the answer must know, the check and one part each.
  'chat-reply',
  'check-message',
  'decode-messages',
  'encode-kept-message',
  'decode-part',
  'decode-thinking',
  'decode-tools',
  'decode-parameters',
  'decode-effort',
  // What a client's protocol has no place for, and what a client is told of a failure.
  'kept-thinking',
  'encode-error',
  // A client's request that is far from the hub: one part of it each, what the answer must know of it, what is
  // kept of it, and its tools under the names of the hub.
  'decode-items',
  'decode-content',
  'decode-tool-choice',
  'tool-functions',
  'turns',
  'reply',
  'stored-response',
  'client-tools',
  'proof',
  // A client's stream that is far from the hub: numbered events, and a writer for each kind of item.
  'event-output',
  'item-writers',
  'message-writer',
  'reasoning-writer',
  'search-writer',
  // Names in two spellings, schemas of a kind of their own, results and the calls that they belong to.
  'fields',
  'spelling',
  'decode-schema',
  'decode-format',
  'decode-result',
  'call-pairs',
  // A client's stream in one of two forms, and what an answer was found with.
  'chunk-output',
  'grounding',
  // Answers in a form of their own: neither server-sent events nor one JSON document.
  'decode-body',
  // Streams of a dialect that is far from the hub: one delta, the calls in it and which one a piece belongs to,
  // the text on its way out, and what is found by sight.
  'decode-delta',
  'call-piece',
  'calls',
  'assembled-call',
  'find-call',
  'block-order',
  'varying-text',
  // A block that is told whole, while its input still comes.
  'held-block',
])

/** Files that are not one function of their name. */
const OF_SEVERAL_THINGS: ReadonlySet<string> = new Set(['error', 'endpoints', 'profile'])

function folder(name: string): URL {
  return new URL(`${name}/`, import.meta.url)
}

/** The modules of a dialect's folder, without their tests. */
function modulesOf(name: string): string[] {
  const files = readdirSync(folder(name)).filter((file) => !file.endsWith('.test.ts'))
  expect(files.filter((file) => !file.endsWith('.ts'))).toEqual([])
  return files.map((file) => file.slice(0, -'.ts'.length))
}

function required({ client, upstream }: Dialect): Set<string> {
  return new Set([...ALWAYS, ...(client ? CLIENT : []), ...(upstream ? UPSTREAM : [])])
}

test('every folder is a dialect that is checked here, under its own name', () => {
  const entries = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.toSorted()).toEqual(DIALECTS.map(({ name }) => name).toSorted())
})

test.each(DIALECTS)('$name has the files of the sides that it speaks', (dialect) => {
  expect(dialect.client ?? dialect.upstream).toBeDefined()
  expect(modulesOf(dialect.name)).toEqual(expect.arrayContaining([...required(dialect)]))
})

test.each(DIALECTS)('$name has no other files than those from the list', (dialect) => {
  const others = modulesOf(dialect.name).filter((file) => !required(dialect).has(file))
  expect(others.filter((file) => !HELPERS.has(file))).toEqual([])
})

test.each(DIALECTS)('$name imports no sibling and nothing that is not portable', ({ name }) => {
  for (const module of modulesOf(name)) {
    const source = readFileSync(new URL(`${module}.ts`, folder(name)), 'utf8')
    const imports = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, path]) => String(path))
    const isHome = /^(\.\/[\w-]+\.ts|\.\.\/[\w-]+\.ts|\.\.\/\.\.\/(?!dialects\/)[\w-]+\/[\w-]+\.ts)$/
    const isPackage = /^(@google\/genai$|(@anthropic-ai\/sdk|openai)\/)/
    expect(
      imports.filter((path) => !isHome.test(path) && !isPackage.test(path)),
      module,
    ).toEqual([])
  }
})

test.each(DIALECTS)('$name speaks with the functions of its files', async ({ name, client, upstream }) => {
  const spoken = { ...client, ...upstream }
  const files = [...(client ? CLIENT : []), ...(upstream ? UPSTREAM : [])].filter(
    (file) => !OF_SEVERAL_THINGS.has(file),
  )
  const modules = await Promise.all(
    files.map((file) => import(`./${name}/${file}.ts`) as Promise<Record<string, unknown>>),
  )
  for (const [index, file] of files.entries()) {
    const camel = file.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
    expect(modules[index]?.[camel], file).toBeTypeOf('function')
    expect(spoken[camel as keyof typeof spoken]).toBe(modules[index]?.[camel])
  }
})
