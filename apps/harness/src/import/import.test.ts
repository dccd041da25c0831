import { Buffer } from 'node:buffer'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTape, type Tape, verifyTape } from '@hydra/tape'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { surroundings } from '../../test/surroundings.ts'
import { printSession } from '../show/print-session.ts'
import { summarizeSession } from '@hydra/inspector/summary'
import { verifyCommand } from '../verify/verify-command.ts'
import { importCommand } from './import-command.ts'
import { readSource } from './read-source.ts'

/** Looks like a key of a provider, and is put together so that no scanner takes this file for a leak. */
const CANARY = ['sk', 'ant', 'api03', 'c4n4ry'.repeat(8)].join('-')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hydra-import-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function importText(
  text: string,
  ...args: string[]
): Promise<{ code: number; out: string; tape: string }> {
  const file = join(folder, 'source')
  const tape = join(folder, 'tape')
  writeFileSync(file, text)
  const around = surroundings()
  const code = await importCommand.run([file, '--out', tape, ...args], around)
  return { code, out: around.written.out, tape }
}

async function imported(document: unknown): Promise<Tape> {
  const { tape } = await importText(JSON.stringify(document))
  return readTape(tape)
}

const REQUEST = {
  model: 'claude-test',
  max_tokens: 9,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
}
const EVENTS = [
  [
    'message_start',
    {
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'c',
        content: [],
        usage: { input_tokens: 3, output_tokens: 0 },
      },
    },
  ],
  ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
  ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }],
  ['content_block_stop', { index: 0 }],
  ['message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } }],
  ['message_stop', {}],
] as const
const STREAM = EVENTS.map(
  ([type, rest]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`,
).join('')

function harEntry(
  changes: { url?: string; content?: object; response?: object; request?: object; entry?: object } = {},
): object {
  return {
    startedDateTime: '2026-01-01T12:00:00.500Z',
    time: 2000,
    timings: { blocked: -1, dns: 10, connect: 20, send: 5, wait: 465, receive: 1500 },
    request: {
      method: 'POST',
      url: changes.url ?? 'https://api.anthropic.com/v1/messages?beta=true',
      headers: [
        { name: 'X-Api-Key', value: CANARY },
        { name: 'User-Agent', value: 'claude-cli/2.1.0 (external)' },
        { name: 'Content-Type', value: 'application/json' },
      ],
      postData: { mimeType: 'application/json', text: JSON.stringify(REQUEST) },
      ...changes.request,
    },
    response: {
      status: 200,
      headers: [
        { name: 'content-type', value: 'text/event-stream' },
        { name: 'content-encoding', value: 'br' },
      ],
      content: { size: STREAM.length, mimeType: 'text/event-stream', text: STREAM, ...changes.content },
      ...changes.response,
    },
    ...changes.entry,
  }
}

function har(...entries: unknown[]): object {
  return { log: { version: '1.2', entries } }
}

test('a Messages request of a HAR is the leg of the client, with the times that the source has', async () => {
  const tape = await imported(har(harEntry()))
  expect(tape.header).toMatchObject({
    client: 'claude-cli/2.1.0',
    started: '2026-01-01T12:00:00.500Z',
    imported: { from: 'har' },
  })
  expect(tape.header.imported?.lacks).toContain(
    'one of the two legs: a capture between a client and a provider has one',
  )
  const [exchange] = tape.exchanges
  expect(exchange?.calls).toEqual([])
  expect(exchange?.request).toMatchObject({ path: '/v1/messages?beta=true', at: 0 })
  expect(Buffer.from(exchange?.request?.body ?? []).toString()).toBe(JSON.stringify(REQUEST))
  expect(exchange?.answer).toMatchObject({
    status: 200,
    at: 500_000,
    ended: 'clean',
    headers: { 'content-type': 'text/event-stream' },
  })
  expect(exchange?.answer.headers).not.toHaveProperty('content-encoding')
  expect(exchange?.answer.chunks.map(({ at, bytes }) => [at, Buffer.from(bytes).toString()])).toEqual([
    [2_000_000, STREAM],
  ])
  expect(verifyTape(tape)).toEqual([])
  expect(summarizeSession(tape).exchanges[0]).toMatchObject({
    answer: { utterances: [{ text: 'Hello' }], whole: true, from: 'client' },
    ending: { kind: 'clean' },
  })
})

test('a Chat Completions request of a HAR is the leg of an upstream, also from base64', async () => {
  const answer = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Grüezi' }, finish_reason: 'stop' }],
  }
  const text = Buffer.from(JSON.stringify(answer)).toString('base64')
  const tape = await imported(
    har(
      harEntry({ url: 'https://api.openai.com/v1/chat/completions', content: { text, encoding: 'base64' } }),
    ),
  )
  const [exchange] = tape.exchanges
  expect(exchange?.request).toBeUndefined()
  expect(exchange?.calls[0]?.via).toEqual({
    upstream: 'api.openai.com',
    dialect: 'openai-chat',
    model: 'claude-test',
  })
  expect(summarizeSession(tape).exchanges[0]?.answer).toMatchObject({
    utterances: [{ text: 'Grüezi' }],
    whole: true,
  })
})

test.each([
  ['https://api.openai.com/v1/responses', { model: 'gpt-test', input: 'Hi' }, 'openai-responses', 'gpt-test'],
  [
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-test:generateContent?key=of-no-known-shape',
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    'gemini',
    'gemini-test',
  ],
])('a HAR of %s is the leg of an upstream, with its dialect and model', async (url, body, dialect, model) => {
  const request = { method: 'POST', url, headers: [], postData: { text: JSON.stringify(body) } }
  const response = { status: 200, headers: [], content: { text: '{}', size: 2 } }
  const tape = await imported({ log: { entries: [{ request, response }] } })
  expect(tape.exchanges).toHaveLength(1)
  expect(tape.exchanges[0]?.calls[0]?.via).toMatchObject({ dialect, model })
  expect(tape.exchanges[0]?.calls[0]?.request.path).not.toContain('key')
})

test('what is of no interest is counted, what is broken is told with its place, the rest is imported', async () => {
  const entries = [
    harEntry({ url: 'https://example.com/logo.png' }),
    harEntry({ url: 'https://example.com/logo.png' }),
    harEntry(),
    'nonsense',
    { request: {} },
  ]
  const { code, out, tape } = await importText(JSON.stringify(har(...entries)))
  expect(code).toBe(1)
  expect(out).toContain('Imported 1 exchange (har)')
  expect(out).toContain(
    '- log.entries[0] and 1 more: example.com/logo.png asks for no answer in any dialect that is known',
  )
  expect(out).toContain('- log.entries[3]: expected an object')
  expect(out).toContain('- log.entries[4]: its request has no url')
  expect(readTape(tape).exchanges).toHaveLength(1)
})

test.for([
  ['an answer that never came', { response: { status: 0 } }, 'the source has no answer to this request'],
  [
    'a body that was not kept',
    { content: { text: undefined } },
    'the answer is not whole: the source did not keep the body',
  ],
  [
    'an error of the browser',
    { response: { _error: 'net::ERR_ABORTED' } },
    'the answer is not whole: net::ERR_ABORTED',
  ],
] as const)('%s does not look whole', async ([, changes, mark]) => {
  const tape = await imported(har(harEntry(changes)))
  expect(tape.exchanges[0]?.end).toBeUndefined()
  expect(summarizeSession(tape).exchanges[0]).toMatchObject({
    ending: { kind: 'interrupted' },
    marks: [mark],
  })
})

test('exchanges are numbered by their times, whatever the order of the file', async () => {
  const late = harEntry({
    entry: { startedDateTime: '2026-01-01T12:00:09Z' },
    url: 'https://x.test/late/v1/messages',
  })
  const tape = await imported(har(late, harEntry()))
  expect(tape.exchanges.map(({ request }) => request?.path)).toEqual([
    '/v1/messages?beta=true',
    '/late/v1/messages',
  ])
  expect(verifyTape(tape)).toEqual([])
})

test('no secret of a source reaches the tape, wherever it stands', async () => {
  const streamed = STREAM.replace('Hello', CANARY)
  const cut = EVENTS.slice(0, 2)
    .map(([type, rest]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
    .concat(
      [CANARY.slice(0, 17), CANARY.slice(17)].map((text) => {
        const data = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
        return `event: content_block_delta\ndata: ${JSON.stringify(data)}\n\n`
      }),
    )
    .join('')
  const asked = { postData: { text: JSON.stringify({ ...REQUEST, system: CANARY }) } }
  const { tape, out } = await importText(
    JSON.stringify(
      har(
        harEntry({ url: `https://x.test/v1/messages?key=${CANARY}`, content: { text: streamed } }),
        harEntry({ request: asked, content: { text: cut }, response: { _error: `refused ${CANARY}` } }),
        harEntry({ url: `https://x.test/other?key=${CANARY}` }),
      ),
    ),
  )
  const files = readdirSync(tape, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const written = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
  expect(written).toContain('message_start')
  expect(written + out).not.toContain('c4n4ry')
})

test('aimock fixtures are answers of an upstream; nothing is added to what they say', async () => {
  const tape = await imported({
    fixtures: [
      {
        match: { userMessage: 'hello', model: 'gpt' },
        response: { content: 'Hi!', reasoning: 'A greeting.' },
        latency: 5,
      },
      {
        match: { toolCallId: 'c1' },
        response: { toolCalls: [{ name: 'get', arguments: { a: 1 } }], webSearches: ['x'] },
      },
      {
        match: { userMessage: 'bad' },
        response: { error: { message: 'no', code: 'rate_limit_exceeded' }, status: 429 },
      },
      { match: { endpoint: 'embedding' }, response: { embedding: [1] } },
    ],
  })
  expect(tape.header.started).toBe('1970-01-01T00:00:00.000Z')
  const [text, call, error, ...more] = summarizeSession(tape).exchanges
  expect(more).toEqual([])
  expect(text).toMatchObject({
    answer: { utterances: [{ kind: 'thinking', text: 'A greeting.' }, { text: 'Hi!' }], whole: true },
    marks: ['the fixture matches on {"userMessage":"hello","model":"gpt"}', 'not carried over: latency'],
  })
  expect(Buffer.from(tape.exchanges[0]?.calls[0]?.request.body ?? []).toString()).toBe(
    '{"model":"gpt","messages":[{"role":"user","content":"hello"}]}',
  )
  expect(call).toMatchObject({
    answer: { utterances: [{ kind: 'call', name: 'get', text: '{"a":1}' }], stopReason: 'tool_use' },
    marks: [expect.any(String), 'not carried over: webSearches'],
  })
  expect(tape.exchanges[1]?.calls[0]?.request.body).toHaveLength(0)
  expect(error).toMatchObject({ calls: [{ status: 429 }], answer: { failure: 'rate_limit_error: no' } })
})

function tracePair(changes: object = {}): object {
  return {
    request: {
      timestamp: 1_767_268_800.5,
      method: 'POST',
      url: 'https://api.anthropic.com/v1/messages',
      headers: { 'x-api-key': `${CANARY.slice(0, 10)}...n4ry`, 'user-agent': 'claude-cli/1' },
      body: REQUEST,
    },
    response: {
      timestamp: 1_767_268_801,
      status_code: 200,
      headers: { 'content-type': 'text/event-stream' },
      body_raw: STREAM,
    },
    logged_at: '2026-01-01T12:00:03.000Z',
    ...changes,
  }
}

test('an imported tape is in order, although it has one leg only and may have no times', async () => {
  const { tape } = await importText('{"fixtures":[{"match":{},"response":{"content":"Hi"}}]}')
  const around = surroundings()
  expect(await verifyCommand.run([tape], around)).toBe(0)
  const text = printSession(summarizeSession(readTape(tape)))
  expect(text).toContain('time       (none on the tape)')
  // Nobody has counted tokens, so none are told.
  expect(text).not.toContain('tokens')
})

test('a trace of claude-trace is read line by line; a torn line is told, and the rest imported', async () => {
  const lines = [tracePair(), tracePair({ response: null, note: 'ORPHANED_REQUEST' })].map((pair) =>
    JSON.stringify(pair),
  )
  const { code, out, tape: path } = await importText(`${lines.join('\n')}\n{"request":{"time`)
  expect(code).toBe(1)
  expect(out).toContain('- line 3: it is no JSON')
  const tape = readTape(path)
  expect(tape.header).toMatchObject({
    started: '2026-01-01T12:00:00.500Z',
    imported: { from: 'claude-trace' },
  })
  expect(tape.exchanges[0]?.answer).toMatchObject({ at: 500_000, chunks: [{ at: 2_500_000 }] })
  expect(summarizeSession(tape).exchanges).toMatchObject([
    { answer: { utterances: [{ text: 'Hello' }], whole: true }, ending: { kind: 'clean' } },
    {
      answer: undefined,
      ending: { kind: 'interrupted' },
      marks: ['ORPHANED_REQUEST', 'the source has no answer to this request'],
    },
  ])
})

test('a file of another kind, a broken one and a missing one are told in one line', async () => {
  await expect(importText('{"a": 1}')).rejects.toThrow(
    /looks like none of har, aimock, claude-trace, otel; --from/,
  )
  await expect(importText(`{"log": "${CANARY}`)).rejects.toThrow(/no JSON/)
  await expect(importText(`{"log": "${CANARY}`)).rejects.not.toThrow(/c4n4ry/)
  await expect(importText('{}', '--from', 'har')).rejects.toThrow(/expected log\.entries of an HTTP archive/)
  await expect(importText('{}', '--from', 'mitm')).rejects.toThrow(
    /--from: expected har, aimock, claude-trace, otel/,
  )
  await expect(importCommand.run([join(folder, 'none'), '--out', 'x'], surroundings())).rejects.toThrow(
    /ENOENT/,
  )
  await expect(importCommand.run(['x'], surroundings())).rejects.toThrow(/--out says where/)
})

test('an existing tape is not written over', async () => {
  await importText(JSON.stringify(har(harEntry())))
  await expect(importText(JSON.stringify(har(harEntry())))).rejects.toThrow(/cannot be recorded/)
})

test('a file without anything for a tape makes none', async () => {
  const { code, out, tape } = await importText(JSON.stringify(har()))
  expect(code).toBe(1)
  expect(out).toContain('nothing to import')
  expect(existsSync(tape)).toBe(false)
})

/** A value in all places of an entry, for each kind of source. */
function entriesWith(value: string): string[] {
  const answer = `{"status":200,"status_code":200,"content":${value},"body":${value}}`
  const request = `{"url":"https://x.test/v1/messages","headers":${value},"body":${value},"postData":${value}}`
  return [
    value,
    `{"request":${value},"response":${value}}`,
    `{"request":${request},"response":${answer}}`,
    `{"match":${value},"response":${value}}`,
    `{"match":{"userMessage":"x"},"response":{"content":${value},"toolCalls":[${value}]}}`,
  ]
}

function expectAllTold(entries: readonly string[]): void {
  const texts = {
    har: `{"log":{"entries":[${entries.join(',')}]}}`,
    aimock: `{"fixtures":[${entries.join(',')}]}`,
    'claude-trace': entries.join('\n'),
  } as const
  for (const from of ['har', 'aimock', 'claude-trace'] as const) {
    const { exchanges, skipped } = readSource(texts[from], from)
    expect(exchanges.length + skipped.length, from).toBe(entries.length)
  }
}

test('hostile documents are read without an exception, and each entry is imported or told', () => {
  const VALUE = fc.oneof(fc.json(), fc.constant('{"__proto__":{"a":1}}'))
  fc.assert(
    fc.property(fc.array(VALUE, { maxLength: 4 }), (values) => {
      expectAllTold(values.flatMap(entriesWith))
    }),
  )
})

test('what nests too deep to be written down is told', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  expectAllTold(entriesWith(deep))
  const { skipped } = readSource(`{"fixtures":[{"match":{},"response":{"content":${deep}}}]}`, 'aimock')
  expect(skipped).toEqual([{ place: 'fixtures[0]', reason: 'it nests too deep', isBroken: true }])
})
