import { Buffer } from 'node:buffer'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ADDRESS, CANARIES } from '../../test/canaries.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { Tape } from '../format/tape.ts'
import { TapeError } from '../format/tape-error.ts'
import { createRedaction } from '../redact/redaction.ts'
import { ExchangeWriter } from '../write/exchange-writer.ts'
import { createTape } from '../write/create-tape.ts'
import { readTape } from './read-tape.ts'
import { scanTape, scanText } from './scan-tape.ts'
import { verifyTape } from './verify-tape.ts'

const HEADER = '{"tape":1,"tool":"test/1","started":"2026-01-02T03:04:05.000Z","redaction":"default-1"}'
const REQUEST = '[1,5,1,"c>","req",{"method":"POST","path":"/v1/messages","headers":{},"body":"{}"}]'
const HEAD = '[2,5,1,">c","res",{"status":200,"headers":{}}]'
const CHUNK = '[3,5,1,">c","d","hello"]'

function tapeOf(...lines: readonly string[]): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tape.jsonl'), lines.map((line) => `${line}\n`).join(''))
  return folder
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function blob(folder: string, name: string, content: string): void {
  mkdirSync(join(folder, 'blobs', name.slice(0, 2)), { recursive: true })
  writeFileSync(join(folder, 'blobs', name.slice(0, 2), name), content)
}

function answer(tape: Tape): string {
  return Buffer.concat(tape.exchanges[0]?.answer.chunks.map(({ bytes }) => bytes) ?? []).toString('utf8')
}

function reasons(...lines: readonly string[]): readonly string[] {
  return readTape(tapeOf(HEADER, ...lines)).problems.map(({ line, reason }) => `${line} ${reason}`)
}

function like(number: number, line: number): string {
  return `[${number},5,1,">c","d",{"like":${line},"text":"+"}]`
}

function event(text: string): string {
  return JSON.stringify(`data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`)
}

test('a tape is read by its folder and by its file', () => {
  const folder = tapeOf(HEADER, REQUEST, HEAD, CHUNK)
  expect(readTape(folder).problems).toEqual([])
  expect(readTape(join(folder, 'tape.jsonl'))).toEqual(readTape(folder))
  expect(answer(readTape(folder))).toBe('hello')
})

test('a torn last line is cut off and told', () => {
  const folder = tapeOf(HEADER, REQUEST, HEAD)
  writeFileSync(join(folder, 'tape.jsonl'), CHUNK.slice(0, -3), { flag: 'a' })
  const tape = readTape(folder)
  expect(tape.problems).toEqual([{ line: 4, reason: 'the line is torn: it has no end; it is cut off' }])
  expect(tape.exchanges[0]?.answer.status).toBe(200)
})

const BROKEN: readonly (readonly [string, string, RegExp])[] = [
  ['no JSON', '[2,5,1', /no JSON/],
  ['another value', '{"a":1}', /expected a list of six/],
  ['five parts', '[2,5,1,">c","d"]', /expected a list of six/],
  ['an unknown type', '[2,5,1,">c","new",{}]', /the type "new" is not known/],
  ['a type of every object', '[2,5,1,">c","toString",{}]', /the type "toString" is not known/],
  ['a leg of another type', '[2,5,1,">u","d","x"]', /a line of type d has no leg ">u"/],
  ['an unknown leg', '[2,5,1,"??","d","x"]', /a line of type d has no leg/],
  ['a number that is none', '["2",5,1,">c","d","x"]', /expected the number of the line/],
  ['a time that is none', '[2,5.5,1,">c","d","x"]', /expected a time/],
  ['an exchange that is none', '[2,5,0,">c","d","x"]', /expected the number of an exchange/],
  ['bytes that are none', '[2,5,1,">c","d",5]', /expected bytes/],
  ['base64 that is none', '[2,5,1,">c","d",{"base64":"%%%"}]', /expected base64/],
  ['a status that is none', '[2,5,1,">c","res",{"status":"200","headers":{}}]', /expected status/],
  [
    'headers that are none',
    '[2,5,1,">c","res",{"status":200,"headers":{"a":1}}]',
    /expected the values of headers/,
  ],
  ['a request without a path', '[2,5,1,">u","req",{"method":"GET","headers":{}}]', /expected path/],
  [
    'a dialect that is none',
    '[2,5,1,">u","req",{"method":"GET","path":"/","headers":{},"via":{"upstream":"u","dialect":7}}]',
    /expected dialect to be a text/,
  ],
  [
    'a dialect of a client that is none',
    '[2,5,1,"c>","req",{"method":"GET","path":"/","headers":{},"dialect":7}]',
    /expected dialect to be a text/,
  ],
  [
    'members that occur twice',
    '[2,5,1,">c","res",{"status":200,"headers":{},"status":500}]',
    /the member "status" twice/,
  ],
  [
    'members that occur twice, spelled differently',
    '[2,5,1,">c","res",{"status":200,"headers":{},"st\\u0061tus":500}]',
    /the member "status" twice/,
  ],
  ['__proto__', '[2,5,1,">c","res",{"status":200,"headers":{"__proto__":"x"}}]', /a member named __proto__/],
  [
    '__proto__ in disguise',
    '[2,5,1,">c","res",{"status":200,"headers":{"__proto\\u005f_":"x"}}]',
    /a member named __proto__/,
  ],
  ['deep JSON', `[2,5,1,">c","res",${'['.repeat(100_000)}${']'.repeat(100_000)}]`, /nested/],
  ['deep JSON that never ends', '[{"a":'.repeat(100_000), /nested/],
  ['a blob that leads out', `[2,5,1,">c","d",[{"blob":"../../../etc/passwd"}]]`, /64 hex digits/],
  ['a blob with a long name', `[2,5,1,">c","d",[{"blob":"${'a'.repeat(63)}/"}]]`, /64 hex digits/],
  ['an end without hashes', '[2,5,1,"","end",{"outcome":"answered"}]', /expected an outcome and hashes/],
  ['an abort by nobody', '[2,5,1,"","abort",{"by":"me"}]', /expected by/],
]

test.each(BROKEN)('%s: the line and the reason are told, the rest is read', (_, line, reason) => {
  const tape = readTape(tapeOf(HEADER, REQUEST, line, HEAD, CHUNK))
  expect(tape.problems).toEqual([{ line: 3, reason: expect.stringMatching(reason) as unknown }])
  expect(tape.problems[0]?.reason.length).toBeLessThan(200)
  expect(answer(tape)).toBe('hello')
  expect(Object.prototype).not.toHaveProperty('x')
})

test('a line that is too long is skipped', () => {
  const tape = readTape(tapeOf(HEADER, REQUEST, `"${'x'.repeat(17 * 1024 * 1024)}"`, HEAD, CHUNK))
  expect(tape.problems).toEqual([{ line: 3, reason: expect.stringContaining('longer than') as unknown }])
  expect(answer(tape)).toBe('hello')
})

test('bytes that are no text are skipped', () => {
  const folder = tapeOf(HEADER)
  const garbage = Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from('\n')])
  writeFileSync(
    join(folder, 'tape.jsonl'),
    Buffer.concat([Buffer.from(`${HEADER}\n${REQUEST}\n`), garbage, Buffer.from(`${HEAD}\n${CHUNK}\n`)]),
  )
  const tape = readTape(folder)
  expect(tape.problems).toEqual([{ line: 3, reason: 'the line is not UTF-8; it is skipped' }])
  expect(answer(tape)).toBe('hello')
})

test('lines that are missing or out of order are told', () => {
  expect(reasons(REQUEST, CHUNK.replace('[3', '[9'))).toEqual([
    '3 expected the line number 2, got 9: lines are missing',
    '3 a piece of the leg >c before its head',
  ])
  expect(reasons(REQUEST, HEAD, HEAD)[0]).toBe('4 expected the line number 3, got 2: lines are out of order')
})

test('legs that make no sense are told', () => {
  const tape = readTape(
    tapeOf(
      HEADER,
      '[1,0,1,"u>","d","x"]',
      '[2,0,1,">c","res",{"status":200,"headers":{}}]',
      '[3,0,1,">c","end",null]',
      '[4,0,1,">c","d","late"]',
      `[5,0,1,"","end",{"outcome":"answered","hashes":{">c":"${hashOf('late')}"}}]`,
      '[6,0,1,"","mark",{"text":"later"}]',
    ),
  )
  expect(tape.problems.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '2 an answer of an upstream that was not called; it is skipped',
    '5 the leg >c had already ended',
    '7 exchange 1 was already over',
  ])
  expect(verifyTape(tape).map(({ reason }) => reason)).toContain('exchange 1 has no request of the client')
})

test.each([
  ['was refused before its body was read', '[1,0,1,">c","res",{"status":415,"headers":{}}]'],
  ['was given up by its client while it came', '[1,0,1,"c>","abort",{"by":"client"}]'],
])('an exchange that %s needs no request', (_, line) => {
  const tape = readTape(tapeOf(HEADER, line, '[2,0,1,"","end",{"outcome":"failed","hashes":{}}]'))
  expect(verifyTape(tape)).toEqual([])
})

test('an edited line is told', () => {
  const end = `[4,5,1,"","end",{"outcome":"answered","hashes":{"c>":"${hashOf('{}')}",">c":"${hashOf('hello')}"}}]`
  expect(readTape(tapeOf(HEADER, REQUEST, HEAD, CHUNK, end)).problems).toEqual([])
  const edited = readTape(tapeOf(HEADER, REQUEST, HEAD, CHUNK.replace('hello', 'jello'), end))
  expect(edited.problems).toEqual([
    { line: 5, reason: expect.stringContaining('leg >c are not those that were recorded') as unknown },
  ])
  expect(verifyTape(edited)).toEqual(edited.problems)
  expect(answer(edited)).toBe('jello')
})

test('blobs are read by their names, and must be what these promise', () => {
  const name = hashOf('content')
  const line = `[3,5,1,">c","d",["a ",{"blob":"${name}"},{"base64":"IGI="}]]`
  const folder = tapeOf(HEADER, REQUEST, HEAD, line)
  expect(readTape(folder).problems).toEqual([
    { line: 4, reason: `the blob ${name} cannot be read: no such file or directory (ENOENT)` },
  ])
  blob(folder, name, 'content')
  expect(answer(readTape(folder))).toBe('a content b')
  blob(folder, name, 'contents')
  expect(readTape(folder).problems).toEqual([
    { line: 4, reason: `the blob ${name} is not what its name promises` },
  ])
  expect(answer(readTape(folder))).toBe('a  b')
})

test('a blob that is a link is not followed', () => {
  const outside = join(temporaryFolder(), 'outside')
  writeFileSync(outside, 'secret')
  const name = hashOf('secret')
  const folder = tapeOf(HEADER, REQUEST, HEAD, `[3,5,1,">c","d",[{"blob":"${name}"}]]`)
  mkdirSync(join(folder, 'blobs', name.slice(0, 2)), { recursive: true })
  symlinkSync(outside, join(folder, 'blobs', name.slice(0, 2), name))
  expect(readTape(folder).problems).toEqual([{ line: 4, reason: `the blob ${name} is no file` }])
})

test.each([
  ['all blobs', () => 'blobs'],
  ['some blobs', (name: string) => join('blobs', name.slice(0, 2))],
])('a link in the place of the folder of %s is not followed', (_, place) => {
  const name = hashOf('secret')
  const outside = temporaryFolder()
  blob(outside, name, 'secret')
  const folder = tapeOf(HEADER, REQUEST, HEAD, `[3,5,1,">c","d",[{"blob":"${name}"}]]`)
  const path = place(name)
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  symlinkSync(join(outside, path), join(folder, path))
  expect(readTape(folder).problems).toEqual([
    { line: 4, reason: `the blob ${name} is in no folder of the tape` },
  ])
})

test('a small file that tells of a huge body is not believed', () => {
  const content = 'x'.repeat(1024 * 1024)
  const name = hashOf(content)
  const pieces = Array.from({ length: 1000 }, () => `{"blob":"${name}"}`).join(',')
  const folder = tapeOf(HEADER, REQUEST, HEAD, `[3,5,1,">c","d",[${pieces}]]`)
  blob(folder, name, content)
  const tape = readTape(folder)
  expect(tape.problems).toEqual([{ line: 4, reason: expect.stringContaining('larger than') as unknown }])
  expect(answer(tape).length).toBe(64 * 1024 * 1024)
})

test('a small file that tells of many large bodies is believed up to a bound, and the rest is still read', () => {
  const content = 'x'.repeat(1024 * 1024)
  const name = hashOf(content)
  const pieces = Array.from({ length: 64 }, () => `{"blob":"${name}"}`).join(',')
  const calls = Array.from(
    { length: 33 },
    (_, index) =>
      `[${index + 2},5,1,">u","req",{"method":"POST","path":"/","headers":{},"body":[${pieces}]}]`,
  )
  const end = [HEAD.replace('[2', '[35'), CHUNK.replace('[3', '[36').replace('"hello"', '["hel","lo"]')]
  const folder = tapeOf(HEADER, REQUEST, ...calls, ...end)
  blob(folder, name, content)
  const tape = readTape(folder)
  expect(tape.problems).toEqual([
    {
      line: 35,
      reason: expect.stringMatching(/larger than 2147483648 bytes together.* left out/) as unknown,
    },
  ])
  expect(tape.exchanges[0]?.calls).toHaveLength(33)
  expect(tape.exchanges[0]?.calls[31]?.request.body).toHaveLength(64 * 1024 * 1024)
  expect(tape.exchanges[0]?.calls[32]?.request.body).toHaveLength(0)
  expect(answer(tape)).toBe('hello')
})

test('a tape without its header is read without it', () => {
  const tape = readTape(tapeOf('{"tape":1}', REQUEST, HEAD, CHUNK))
  expect(tape.problems.map(({ line }) => line)).toEqual([1, 1])
  expect(tape.header.tool).toBe('unknown')
  expect(answer(tape)).toBe('hello')
})

test.each([
  ['nothing', '', 'the file is empty'],
  ['garbage', 'hello\nworld\n', 'line 1'],
  ['a torn header', HEADER.slice(0, 20), 'line 1: the line is torn'],
  [
    'another version',
    `${HEADER.replace('"tape":1', '"tape":2')}\n${REQUEST}\n`,
    'line 1: this is a tape of version 2; this reader knows version 1',
  ],
])('of %s nothing can be read, and the message says where and why', (_, content, reason) => {
  const folder = tapeOf()
  const file = join(folder, 'tape.jsonl')
  writeFileSync(file, content)
  expect(() => readTape(folder)).toThrow(TapeError)
  expect(() => readTape(folder)).toThrow(reason)
  expect(() => readTape(folder)).toThrow(file)
})

test('a tape that is not there is told by its name', () => {
  expect(() => readTape(join(temporaryFolder(), 'none'))).toThrow(
    /none.tape\.jsonl: cannot be read: .*ENOENT/,
  )
})

test('members that a later version may add are no problem', () => {
  const tape = readTape(
    tapeOf(HEADER.replace('}', ',"new":{"a":1}}'), REQUEST.replace('"{}"', '"{}","new":1'), HEAD, CHUNK),
  )
  expect(tape.problems).toEqual([])
})

test('whatever is done to the bytes of a tape, it is read or refused with a message', () => {
  const folder = tapeOf(HEADER, REQUEST, HEAD, CHUNK)
  const bytes = readFileSync(join(folder, 'tape.jsonl'))
  const change = fc.record({
    at: fc.nat(bytes.length),
    length: fc.nat(30),
    by: fc.uint8Array({ maxLength: 20 }),
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      let content: Buffer = bytes
      for (const { at, length, by } of changes)
        content = Buffer.concat([content.subarray(0, at), by, content.subarray(at + length)])
      writeFileSync(join(folder, 'tape.jsonl'), content)
      try {
        const told = verifyTape(readTape(folder))
        for (const { line, reason } of told)
          expect(line > 0 && reason.length > 5 && reason.length < 300).toBe(true)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(TapeError)
      }
    }),
    { numRuns: 300 },
  )
  writeFileSync(join(folder, 'tape.jsonl'), randomBytes(100_000))
  expect(() => readTape(folder)).toThrow(TapeError)
})

test('what the writer writes by itself is read: a tape that was not recorded here', () => {
  const folder = join(temporaryFolder(), 'imported')
  const started = Date.UTC(2026, 0, 1) * 1000
  const header = { tool: 'import/1', redaction: 'none', imported: { from: 'har', lacks: ['timing'] } }
  const writer = createTape({ folder, header, started })
  const exchange = new ExchangeWriter(writer)
  exchange.request(started + 1, 'c>', { method: 'POST', path: '/', headers: {}, body: '{}' })
  exchange.head(started + 2, '>c', { status: 200, headers: {} })
  exchange.data(started + 3, '>c', 'x'.repeat(100_000))
  exchange.data(started + 4, '>c', Buffer.from([255]))
  exchange.event(started + 5, '', { type: 'mark', data: { text: 'here' } })
  exchange.end(started + 5, '>c')
  exchange.done(started + 6, 'answered')
  writer.close()
  expect(() => createTape({ folder, header, started })).toThrow(/EEXIST/)
  const tape = readTape(folder)
  expect(verifyTape(tape)).toEqual([])
  expect(tape.header.imported).toEqual(header.imported)
  expect(tape.exchanges[0]?.answer.chunks.map(({ at, bytes }) => [at, bytes.length])).toEqual([
    [3, 100_000],
    [4, 1],
  ])
})

test('a scan finds what was planted anywhere, says where, and does not repeat it', () => {
  const key = CANARIES['openai'] ?? ''
  const content = `first\nis ${key}`
  const name = hashOf(content)
  const folder = tapeOf(
    HEADER,
    REQUEST.replace('"{}"', JSON.stringify(`{"a":"${key}"}`)),
    HEAD,
    `[3,5,1,">c","d",${event(key.slice(0, 9))}]`,
    `[4,5,1,">c","d",${event(key.slice(9))}]`,
    `[5,5,1,">c","d",[{"blob":"${name}"}]]`,
  )
  blob(folder, name, content)
  mkdirSync(join(folder, 'expect'))
  writeFileSync(join(folder, 'expect', '001.anthropic.sse'), `x\ny ${ADDRESS}\n`)
  writeFileSync(join(folder, 'README.md'), `Recorded in /home/somebody/x\n`)
  const redaction = createRedaction({ homes: ['/home/somebody'] })
  const found = scanTape(folder, redaction)
  expect(found.map(({ file, line, kind }) => `${file} ${line} ${kind}`)).toEqual([
    'README.md 1 home directory',
    `blobs/${name.slice(0, 2)}/${name} 2 key`,
    'expect/001.anthropic.sse 2 e-mail address',
    'tape.jsonl 2 key',
    'tape.jsonl 4 spread over several chunks',
    'tape.jsonl 5 spread over several chunks',
    'tape.jsonl 6 spread over several chunks',
  ])
  expect(JSON.stringify(found)).not.toContain(key)
  expect(scanText(`ä\nab ${key}`, redaction)).toEqual([{ line: 2, offset: 3, kind: 'key' }])
  expect(scanText('nothing here', redaction)).toEqual([])
})

function call(number: number, body: string): string {
  return `[${number},5,1,">u","req",{"method":"POST","path":"/","headers":{},"body":${body}}]`
}

test('a scan finds what shows only in a request that is put together, and tells of a blob once', () => {
  const key = CANARIES['openai'] ?? ''
  const name = hashOf(key)
  const base64 = JSON.stringify({ base64: Buffer.from(`is ${key}`).toString('base64') })
  const folder = tapeOf(
    HEADER,
    REQUEST.replace('"{}"', base64),
    call(2, '"nothing"'),
    call(3, JSON.stringify([`is ${key.slice(0, 9)}`, key.slice(9)])),
    call(4, `["a",${base64}]`),
    call(5, `[{"blob":"${name}"}]`),
    REQUEST.replace('[1', '[6').replace('"{}"', '"a second one is skipped"'),
  )
  blob(folder, name, key)
  const found = scanTape(folder, createRedaction())
  expect(found.map(({ file, line, offset, kind }) => `${file} ${line} ${offset} ${kind}`)).toEqual([
    `blobs/${name.slice(0, 2)}/${name} 1 0 key`,
    'tape.jsonl 2 undefined key',
    'tape.jsonl 4 undefined key',
    'tape.jsonl 5 undefined key',
  ])
})

test('a chunk that is like a line which is damaged is told and skipped, and the rest is there', () => {
  const lines = [REQUEST, HEAD, '[3,5,1,">c","d",{"frame":["a","b"],"text":"-"}]']
  expect(answer(readTape(tapeOf(HEADER, ...lines, like(4, 3))))).toBe('a-ba+b')
  const damaged = [
    ...lines.slice(0, 2),
    '[3,5,1,">c","d",{"frame":["a","b"],"te',
    like(4, 3),
    '[5,5,1,">c","d","c"]',
  ]
  expect(reasons(...damaged)).toEqual([
    '4 it is no JSON; the line is skipped',
    '5 there is no line 3 before it with the frame of a chunk of the same leg; the line is skipped',
    '6 expected the line number 3, got 5: lines are missing',
  ])
  expect(answer(readTape(tapeOf(HEADER, ...damaged)))).toBe('c')
})

test('frames and texts of chunks that are none are told', () => {
  const data = [
    ['{"like":1}', 'expected text to be a text'],
    ['{"like":0,"text":""}', 'expected like to be the number of a line'],
    ['{"like":"1","text":""}', 'expected like to be the number of a line'],
    ['{"frame":["a"],"text":""}', 'expected frame to be two texts or more'],
    ['{"frame":["a","b","c"],"texts":["1","2","3"]}', 'expected as many texts as frame has gaps'],
    ['{"frame":["a","b"],"texts":[]}', 'expected as many texts as frame has gaps'],
    ['{"frame":["a",1],"text":""}', 'expected frame to be two texts or more'],
    ['{"frame":["a","b"],"like":1,"text":""}', 'expected a frame or the number of its line, and not both'],
  ]
  for (const [json, reason] of data) {
    expect(reasons(REQUEST, HEAD, `[3,5,1,">c","d",${json}]`)).toEqual([`4 ${reason}; the line is skipped`])
  }
  const inRequest = '[1,5,1,"c>","req",{"method":"POST","path":"/","headers":{},"body":{"like":1,"text":""}}]'
  expect(reasons(inRequest)[0]).toContain('expected bytes as a text, as base64 or as a list of pieces')
})

test('a tape of another version of Hydra may name dialects that are not known here', () => {
  const request =
    '[1,5,1,"c>","req",{"method":"POST","path":"/talk","headers":{},"body":"{}","dialect":"newer"}]'
  const calling =
    '[2,5,1,">u","req",{"method":"POST","path":"/","headers":{},"via":{"upstream":"up","dialect":"newest"}}]'
  const { exchanges, problems } = readTape(tapeOf(HEADER, request, calling))
  expect(problems).toEqual([])
  expect(exchanges[0]?.request?.dialect).toBe('newer')
  expect(exchanges[0]?.calls[0]?.via?.dialect).toBe('newest')
})

test('a tape that does not name the dialect of its client is read', () => {
  const { exchanges, problems } = readTape(tapeOf(HEADER, REQUEST))
  expect(problems).toEqual([])
  expect(exchanges[0]?.request).toBeDefined()
  expect(exchanges[0]?.request?.dialect).toBeUndefined()
})
