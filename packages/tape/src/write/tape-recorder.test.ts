import { Buffer } from 'node:buffer'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADDRESS, BEARER_TOKEN, CANARIES, PLAIN_SECRET } from '../../test/canaries.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { Tape, TapedExchange } from '../format/tape.ts'
import { readTape } from '../read/read-tape.ts'
import { scanTape } from '../read/scan-tape.ts'
import { verifyTape } from '../read/verify-tape.ts'
import { createRedaction } from '../redact/redaction.ts'
import { createTapeRecorder, type TapeRecorderOptions } from './tape-recorder.ts'
import type { ExchangeRecorder, TapedClient, TrafficRecorder } from './traffic.ts'

const CLIENT: TapedClient = { name: 'claude-cli/2.1', session: undefined }
const HEAD = { method: 'POST', path: '/v1/messages', headers: { 'content-type': 'application/json' } }
const VIA = { upstream: 'up', dialect: 'openai-chat' } as const
const REDACTION = createRedaction({ secrets: [PLAIN_SECRET], homes: ['/home/somebody'] })

interface Recording {
  readonly folder: string
  readonly recorder: TrafficRecorder
  readonly problems: string[]
}

function record(options: Partial<TapeRecorderOptions> = {}): Recording {
  const folder = options.folder ?? join(temporaryFolder(), 'tapes')
  const problems: string[] = []
  let time = Date.UTC(2026, 0, 2, 3, 4, 5) * 1000
  const recorder = createTapeRecorder({
    folder,
    redaction: REDACTION,
    onProblem: (message) => problems.push(message),
    tool: 'test/1',
    now: () => (time += 10),
    ...options,
  })
  return { folder, recorder, problems }
}

function tapes(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== '.gitignore')
}

function onlyTape(folder: string): Tape {
  const [name = ''] = tapes(folder)
  return readTape(join(folder, name))
}

function begin(recorder: TrafficRecorder, client = CLIENT): ExchangeRecorder {
  const exchange = recorder.begin(client)
  if (exchange === undefined) throw new Error('expected an exchange that is recorded')
  return exchange
}

function text(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8')
}

function joined(chunks: readonly { readonly bytes: Uint8Array }[]): string {
  return text(Buffer.concat(chunks.map(({ bytes }) => bytes)))
}

/** How many files this process has open, where the system tells. */
function openFiles(): number {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0
}

function turn(index: number): object {
  return {
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `${index} `.padEnd(1450, `w${index} `) }],
  }
}

test('an exchange is read as it was recorded, with its times', () => {
  const { folder, recorder, problems } = record()
  const exchange = begin(recorder, { name: 'claude-cli/2.1', session: 'a-b-c' })
  exchange.clientRequest({ ...HEAD, headers: { ...HEAD.headers, 'x-api-key': 'no' } }, '{"a":"ä"}')
  exchange.note({ code: 'dropped', path: 'a', message: 'why' })
  exchange.upstreamRequest({ ...HEAD, path: '/chat' }, Buffer.from('{"b":1}'), { ...VIA, model: 'm' })
  exchange.upstreamHead(503, {})
  exchange.upstreamData(Buffer.from('busy.'))
  exchange.upstreamEnd()
  exchange.retry('503', 20)
  exchange.upstreamRequest({ ...HEAD, path: '/chat' }, '{"b":1}', VIA)
  exchange.upstreamHead(200, { 'content-type': 'text/event-stream' })
  exchange.clientHead(200, { 'content-type': 'text/event-stream' })
  exchange.upstreamData(Buffer.from([0xc3]))
  exchange.upstreamData(Buffer.from([0xa4, 10]))
  exchange.clientData('data: ä\n')
  exchange.upstreamEnd()
  exchange.clientEnd()
  exchange.done('answered')
  exchange.clientData('too late')
  exchange.done('failed')
  recorder.close()
  expect(problems).toEqual([])
  const tape = onlyTape(folder)
  expect(tape.problems).toEqual([])
  expect(verifyTape(tape)).toEqual([])
  expect(tape.header).toEqual({
    tape: 1,
    tool: 'test/1',
    started: '2026-01-02T03:04:05.000Z',
    client: 'claude-cli/2.1',
    session: 'a-b-c',
    redaction: 'default-1',
  })
  expect(tape.exchanges).toHaveLength(1)
  const read = tape.exchanges[0] as TapedExchange
  expect(read.request).toMatchObject({ ...HEAD, at: 20 })
  expect(text(read.request?.body)).toBe('{"a":"ä"}')
  expect(read.notes).toEqual([{ code: 'dropped', path: 'a', message: 'why' }])
  expect(read.calls.map(({ via }) => via)).toEqual([{ ...VIA, model: 'm' }, VIA])
  expect(read.calls.map(({ answer }) => [answer.status, joined(answer.chunks), answer.ended])).toEqual([
    [503, 'busy.', 'clean'],
    [200, 'ä\n', 'clean'],
  ])
  expect(read.calls[1]?.answer.chunks.map(({ bytes }) => [...bytes])).toEqual([[0xc3], [0xa4, 10]])
  expect(read.answer).toMatchObject({ status: 200, ended: 'clean' })
  expect(read.end?.outcome).toBe('answered')
  const times = read.moments.map(({ at }) => at)
  expect(times).toEqual(times.map((_, index) => 20 + 10 * index))
})

test.each(['client', 'upstream', 'proxy'] as const)(
  'an answer that the %s gave up is read as aborted',
  (by) => {
    const { folder, recorder } = record()
    const exchange = begin(recorder)
    exchange.clientRequest(HEAD, '{}')
    exchange.upstreamRequest(HEAD, '{}', VIA)
    exchange.upstreamHead(200, {})
    exchange.clientHead(200, {})
    exchange.upstreamData(Buffer.from('half'))
    exchange.abort(by, 'gone')
    exchange.done('aborted')
    recorder.close()
    const [read] = onlyTape(folder).exchanges
    expect(read?.calls[0]?.answer.ended).toBe('aborted')
    expect(read?.answer.ended).toBe(by === 'upstream' ? 'open' : 'aborted')
    expect(joined(read?.calls[0]?.answer.chunks ?? [])).toBe('half')
  },
)

test('an exchange that is not over when the recorder closes has no end', () => {
  const { folder, recorder } = record()
  const exchange = begin(recorder)
  exchange.clientRequest(HEAD, '{}')
  recorder.close()
  exchange.clientHead(200, {})
  exchange.done('answered')
  const tape = onlyTape(folder)
  expect(tape.exchanges[0]?.end).toBeUndefined()
  expect(verifyTape(tape)).toEqual([])
})

test('each session has a tape of its own, everything else shares one', () => {
  const { folder, recorder } = record()
  const clients = [
    { name: 'claude-cli/2.1', session: 'aaaaaaaa-1' },
    { name: 'claude-cli/2.1', session: 'aaaaaaaa-2' },
    { name: 'sdk', session: undefined },
    { name: 'other', session: undefined },
    { name: 'claude-cli/2.1', session: 'aaaaaaaa-1' },
  ]
  for (const client of clients) begin(recorder, client).clientRequest(HEAD, '{}')
  recorder.close()
  const read = tapes(folder).map((name) => [name, readTape(join(folder, name)).exchanges.length])
  expect(read).toEqual([
    ['20260102-030405-claude-cli-2-1-aaaaaaaa', 2],
    ['20260102-030405-claude-cli-2-1-aaaaaaaa-2', 1],
    ['20260102-030405-sdk', 2],
  ])
})

test('no name of a client or session leads out of the folder', () => {
  const { folder, recorder } = record()
  for (const name of ['../../evil', '/etc/passwd', '..', '', '\u0000', 'CON:', 'x'.repeat(500)]) {
    begin(recorder, { name, session: `${name}/../../${name}` }).clientRequest(HEAD, '{}')
  }
  recorder.close()
  expect(readdirSync(join(folder, '..'))).toEqual(['tapes'])
  for (const name of tapes(folder)) expect(name).toMatch(/^[a-z0-9-]{10,80}$/)
  expect(tapes(folder)).toHaveLength(7)
})

test('a session goes on after a restart on its tape, behind a torn line', () => {
  const client = { name: 'claude', session: 'session-one' }
  const { folder, recorder } = record()
  const first = begin(recorder, client)
  first.clientRequest(HEAD, `"${CANARIES['groq']}"`)
  first.done('failed')
  recorder.close()
  const file = join(folder, tapes(folder)[0] ?? '', 'tape.jsonl')
  appendFileSync(file, '[3,5,1,"u>","d","to')
  const again = record({ folder })
  const second = begin(again.recorder, client)
  second.clientRequest(HEAD, `"${CANARIES['xai']}"`)
  second.done('failed')
  again.recorder.close()
  expect(tapes(folder)).toHaveLength(1)
  const tape = onlyTape(folder)
  expect(tape.problems).toEqual([])
  expect(tape.exchanges.map(({ number }) => number)).toEqual([1, 2])
  expect(text(tape.exchanges[0]?.request?.body)).toMatch(/^"~K1-+~"$/)
  expect(text(tape.exchanges[1]?.request?.body)).toMatch(/^"~K2-+~"$/)
})

test('a session does not go on on a tape that somebody else may have planted', () => {
  const client = { name: 'claude', session: 'session-one' }
  const { folder, recorder } = record()
  begin(recorder, client).done('failed')
  recorder.close()
  const [planted = ''] = tapes(folder)
  chmodSync(join(folder, planted, 'tape.jsonl'), 0o666)
  const before = readFileSync(join(folder, planted, 'tape.jsonl'), 'utf8')
  const again = record({ folder })
  begin(again.recorder, client).done('failed')
  again.recorder.close()
  expect(readFileSync(join(folder, planted, 'tape.jsonl'), 'utf8')).toBe(before)
  expect(tapes(folder)).toHaveLength(2)
})

test('two recorders do not write one tape', () => {
  const client = { name: 'claude', session: 'session-one' }
  const { folder, recorder } = record()
  const other = record({ folder })
  begin(recorder, client).clientRequest(HEAD, '{}')
  begin(other.recorder, client).clientRequest(HEAD, '{}')
  recorder.close()
  other.recorder.close()
  expect(tapes(folder)).toHaveLength(2)
  for (const name of tapes(folder)) expect(readTape(join(folder, name)).problems).toEqual([])
})

test('many sessions leave no more than a few files open, and each keeps its tape', () => {
  const { folder, recorder } = record()
  const before = openFiles()
  for (let round = 0; round < 2; round += 1) {
    for (let count = 0; count < 150; count += 1) {
      const exchange = begin(recorder, { name: 'c', session: `${count}-session` })
      exchange.clientRequest(HEAD, '{}')
      exchange.done('answered')
    }
  }
  expect(openFiles() - before).toBeLessThan(100)
  recorder.close()
  expect(tapes(folder)).toHaveLength(150)
  for (const name of tapes(folder)) {
    const tape = readTape(join(folder, name))
    expect([tape.exchanges.length, tape.problems]).toEqual([2, []])
  }
})

test('nobody else may read a tape, and git does not see it', () => {
  const { folder, recorder } = record()
  const exchange = begin(recorder)
  exchange.clientRequest(HEAD, `{"a":"${'x'.repeat(5000)}"}`)
  recorder.close()
  const tape = join(folder, tapes(folder)[0] ?? '')
  const modes = [folder, tape, join(tape, 'blobs'), join(tape, 'tape.jsonl')].map(
    (path) => statSync(path).mode & 0o777,
  )
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600])
  const blobs = readdirSync(join(tape, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  for (const { parentPath, name } of blobs) expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n')
  expect(existsSync(join(tape, 'writer.pid'))).toBe(false)
})

test('the folder is there before the first request, and again if somebody has removed it', () => {
  const { folder, recorder, problems } = record({ folder: join(temporaryFolder(), 'a', 'b') })
  expect(readdirSync(folder)).toEqual(['.gitignore'])
  rmSync(folder, { recursive: true })
  begin(recorder).clientRequest(HEAD, '{}')
  recorder.close()
  expect(tapes(folder)).toHaveLength(1)
  expect(problems).toEqual([])
})

test('a folder that was there is not told to git', () => {
  const folder = temporaryFolder()
  const { recorder } = record({ folder })
  begin(recorder).clientRequest(HEAD, '{}')
  recorder.close()
  expect(existsSync(join(folder, '.gitignore'))).toBe(false)
})

test('a resent history is stored once', () => {
  const { folder, recorder } = record()
  const tools = Array.from({ length: 20 }, (_, index) => ({
    name: `t${index}`,
    input_schema: { required: ['a'], text: `${index}`.repeat(400) },
  }))
  const messages: object[] = []
  let sent = 0
  for (let count = 0; count < 50; count += 1) {
    messages.push(turn(2 * count), turn(2 * count + 1))
    const body = JSON.stringify({ model: 'm', messages, tools, max_tokens: 1 })
    sent += body.length
    const exchange = begin(recorder)
    exchange.clientRequest(HEAD, body)
    exchange.done('answered')
  }
  recorder.close()
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((size, { parentPath, name }) => size + statSync(join(parentPath, name)).size, 0)
  expect(sent).toBeGreaterThan(3_500_000)
  expect(stored).toBeLessThan(700_000)
  const tape = onlyTape(folder)
  expect(verifyTape(tape)).toEqual([])
  expect(text(tape.exchanges[49]?.request?.body)).toBe(
    JSON.stringify({ model: 'm', messages, tools, max_tokens: 1 }),
  )
})

test('a secret in a history that is sent again has the same mark each time, and the rest is as it was', () => {
  const { folder, recorder } = record()
  const messages = Array.from({ length: 12 }, (_, index) => turn(index))
  messages.splice(5, 0, { role: 'user', content: `use ${CANARIES['openai']} and ${CANARIES['groq']}` })
  const bodies = [8, 10, 13].map((count) =>
    JSON.stringify({ messages: messages.slice(0, count), model: 'm' }),
  )
  for (const body of bodies) {
    const exchange = begin(recorder)
    exchange.clientRequest(HEAD, body)
    exchange.done('answered')
  }
  recorder.close()
  const tape = onlyTape(folder)
  expect(verifyTape(tape)).toEqual([])
  const openai = '~K1'.padEnd((CANARIES['openai'] ?? '').length - 1, '-')
  const groq = '~K2'.padEnd((CANARIES['groq'] ?? '').length - 1, '-')
  expect(tape.exchanges.map(({ request }) => text(request?.body))).toEqual(
    bodies.map((body) =>
      body.replace(CANARIES['openai'] ?? '', `${openai}~`).replace(CANARIES['groq'] ?? '', `${groq}~`),
    ),
  )
})

test('a secret that looks like the end of a list is found where bodies are cut', () => {
  const odd = 'a1b2},{c3d4],"model"x'
  const { folder, recorder } = record({ redaction: createRedaction({ secrets: [odd] }) })
  begin(recorder).clientRequest(HEAD, `[${'x'.repeat(2050)}${odd}${'y'.repeat(2050)}]`)
  recorder.close()
  expect(text(onlyTape(folder).exchanges[0]?.request?.body)).toMatch(/x~K1-+~y/)
})

test('no canary reaches a tape: headers, paths, bodies, streams, arguments, notes, errors', () => {
  const { folder, recorder } = record()
  for (const secret of [...Object.values(CANARIES), PLAIN_SECRET, ADDRESS, `Bearer ${BEARER_TOKEN}`]) {
    const exchange = begin(recorder, { name: `agent/${secret}`, session: 'one' })
    const head = {
      method: 'POST',
      path: `/v1/messages?key=${secret}`,
      headers: { authorization: secret, 'x-api-key': secret, 'user-agent': secret, 'request-id': secret },
    }
    exchange.clientRequest(head, JSON.stringify({ messages: [{ role: 'user', content: `is ${secret}` }] }))
    exchange.upstreamRequest(head, Buffer.from(`{"a":"${secret}"}`), {
      ...VIA,
      model: secret,
      overrides: { a: [secret] },
    })
    exchange.upstreamHead(200, head.headers)
    exchange.clientHead(200, head.headers)
    for (const character of `so: ${secret}.`) {
      const delta = { tool_calls: [{ index: 0, function: { arguments: character } }] }
      exchange.upstreamData(Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`))
      const block = {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: character },
      }
      exchange.clientData(`event: content_block_delta\ndata: ${JSON.stringify(block)}\n\n`)
    }
    exchange.note({ code: 'x', path: secret, message: `lost ${secret}` })
    exchange.retry(`error ${secret}`, 1)
    exchange.timeout(`waited for ${secret}`)
    exchange.abort('upstream', `said ${secret}`)
    exchange.done('failed')
  }
  recorder.close()
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n')
  const [name = ''] = tapes(folder)
  const tape = readTape(join(folder, name))
  const streams = tape.exchanges.flatMap(({ answer, calls }) => [answer, ...calls.map((call) => call.answer)])
  const said = streams.map(({ chunks }) =>
    [...joined(chunks).matchAll(/"(?:arguments|partial_json)":"([^"]*)"/g)].map(([, part]) => part).join(''),
  )
  for (const secret of [...Object.values(CANARIES), PLAIN_SECRET, ADDRESS, BEARER_TOKEN]) {
    expect(all).not.toContain(secret)
    for (const words of said) expect(words).not.toContain(secret)
  }
  for (const words of said) expect(words).toMatch(/^so: (?:Bearer )?~[KE]\d+-*~/)
  expect(tape.problems).toEqual([])
  expect(scanTape(join(folder, name), REDACTION)).toEqual([])
})

test('a folder that cannot be made is told once; requests go on unrecorded', () => {
  const blocked = join(temporaryFolder(), 'file')
  writeFileSync(blocked, '')
  const { recorder, problems } = record({ folder: join(blocked, 'tapes') })
  expect(problems).toHaveLength(1)
  expect(recorder.begin(CLIENT)).toBeUndefined()
  expect(recorder.begin({ name: 'x', session: 'y' })).toBeUndefined()
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/tapes: cannot be recorded to: not a directory \(ENOTDIR\)$/)
  expect(recorder.failure).toBe(problems[0])
})

test('with the policy strict a request that cannot be recorded is refused', () => {
  const blocked = join(temporaryFolder(), 'file')
  writeFileSync(blocked, '')
  const { recorder, problems } = record({ folder: join(blocked, 'tapes'), policy: 'strict' })
  expect(() => recorder.begin(CLIENT)).toThrow('ENOTDIR')
  expect(() => recorder.begin(CLIENT)).toThrow('ENOTDIR')
  expect(problems).toHaveLength(1)
})

test('a piece that cannot be stored stops the tape with one message; the calls go on', () => {
  const { folder, recorder, problems } = record()
  begin(recorder).clientRequest(HEAD, '{}')
  const tape = join(folder, tapes(folder)[0] ?? '')
  writeFileSync(join(tape, 'blobs'), 'in the way')
  const exchange = begin(recorder)
  exchange.clientRequest(HEAD, `{"a":"${'x'.repeat(5000)}"}`)
  exchange.clientHead(200, {})
  exchange.clientData('x')
  exchange.done('answered')
  expect(recorder.begin(CLIENT)).toBeUndefined()
  recorder.close()
  expect(problems).toEqual([expect.stringContaining('stopped')])
  rmSync(join(tape, 'blobs'))
  expect(readTape(tape).exchanges.map(({ number, end }) => [number, end])).toEqual([[1, undefined]])
})

test('a listener that throws on a problem does not stop the traffic', () => {
  const blocked = join(temporaryFolder(), 'file')
  mkdirSync(join(blocked, '..'), { recursive: true })
  writeFileSync(blocked, '')
  const { recorder } = record({
    folder: blocked,
    onProblem() {
      throw new Error('no')
    },
  })
  expect(recorder.begin(CLIENT)).toBeUndefined()
})

type Call = readonly [leg: 'u' | 'c', bytes: Uint8Array]

test('any bytes in any pieces on any leg are read back byte for byte, in order', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((string) => new TextEncoder().encode(string)),
    fc
      .constantFrom('data: {"delta":{"content":"hello', ' wor', 'ld"}}\n\n', '"', '\\')
      .map((string) => new TextEncoder().encode(string)),
  )
  const call = fc.tuple(fc.constantFrom('u' as const, 'c' as const), bytes)
  const root = temporaryFolder()
  let run = 0
  fc.assert(
    fc.property(
      fc.array(fc.array(call, { maxLength: 20 }), { maxLength: 3 }),
      fc.uint8Array({ maxLength: 5000 }),
      (exchanges, body) => {
        run += 1
        const { folder, recorder, problems } = record({
          folder: join(root, String(run)),
          redaction: createRedaction(),
        })
        const running = exchanges.map(() => begin(recorder))
        for (const each of running) {
          each.clientRequest(HEAD, body)
          each.upstreamRequest(HEAD, body, VIA)
          each.upstreamHead(200, {})
          each.clientHead(200, {})
        }
        const longest = Math.max(0, ...exchanges.map(({ length }) => length))
        for (let index = 0; index < longest; index += 1) {
          exchanges.forEach((calls, which) => tell(running[which], calls[index]))
        }
        for (const each of running) {
          each.upstreamEnd()
          each.clientEnd()
          each.done('answered')
        }
        recorder.close()
        expect(problems).toEqual([])
        if (exchanges.length === 0) return
        const tape = onlyTape(folder)
        expect(verifyTape(tape)).toEqual([])
        exchanges.forEach((calls, index) => {
          const read = tape.exchanges[index]
          expect(Buffer.from(read?.request?.body ?? []).equals(body)).toBe(true)
          expect(chunksOf(read?.answer.chunks)).toEqual(piecesOf(calls, 'c'))
          expect(chunksOf(read?.calls[0]?.answer.chunks)).toEqual(piecesOf(calls, 'u'))
          const order = read?.moments.filter(({ event }) => event[4] === 'd').map(({ leg }) => leg)
          expect(order).toEqual(
            calls.filter(([, piece]) => piece.length > 0).map(([leg]) => (leg === 'u' ? 'u>' : '>c')),
          )
        })
      },
    ),
    { numRuns: 60 },
  )
})

function tell(exchange: ExchangeRecorder | undefined, call: Call | undefined): void {
  if (call?.[0] === 'u') exchange?.upstreamData(Uint8Array.from(call[1]))
  if (call?.[0] === 'c') exchange?.clientData(call[1])
}

function piecesOf(calls: readonly Call[], leg: 'u' | 'c'): readonly string[] {
  return calls
    .filter(([of, piece]) => of === leg && piece.length > 0)
    .map(([, piece]) => Buffer.from(piece).toString('hex'))
}

function chunksOf(chunks: readonly { readonly bytes: Uint8Array }[] | undefined): readonly string[] {
  return (chunks ?? []).map(({ bytes }) => Buffer.from(bytes).toString('hex'))
}
