import { request } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { rawConnection } from './raw-client.ts'
import { messagesBody, post } from './requests.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const opened = closing()
let upstream: Upstream
let open: Hydra
let locked: Hydra

beforeAll(async () => {
  upstream = await opened(startUpstream(answer({ text: 'Hello.' })))
  const target = ['--target-url', upstream.url, '--model', 'm']
  ;[open, locked] = await Promise.all([
    opened(startHydra(target)),
    opened(startHydra(target, { HYDRA_KEY: 'the-proxy-key' })),
  ])
})

interface Told {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends a request with headers that `fetch` does not let one set. */
function send(hydra: Hydra, headers: Record<string, string>, path: string = '/v1/messages'): Promise<Told> {
  return new Promise((resolve, reject) => {
    const call = request(
      { port: hydra.port, host: '127.0.0.1', path, method: 'POST', headers },
      (answered) => {
        let text = ''
        answered.on('data', (piece: Buffer) => (text += piece.toString()))
        answered.on('end', () => resolve({ status: answered.statusCode, headers: answered.headers, text }))
      },
    )
    call.on('error', reject)
    call.end(messagesBody())
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }

test.each(['evil.test', '127.0.0.1.evil.test:80', '10.0.0.1', '0.0.0.0'])(
  'the Host %s is refused',
  async (host) => {
    const { status, text } = await send(open, { ...JSON_TYPE, host })
    expect(status).toBe(403)
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'permission_error' } })
  },
)

test.each(['localhost:1', 'LOCALHOST', '127.0.0.1', '[::1]:3456'])('the Host %s is fine', async (host) => {
  expect((await send(open, { ...JSON_TYPE, host })).status).toBe(200)
})

test.each<Record<string, string>>([
  { origin: 'https://evil.test' },
  { origin: 'http://localhost:3000' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
])('a web page is refused: %j', async (headers) => {
  const told = await send(open, { ...JSON_TYPE, ...headers })
  expect(told.status).toBe(403)
  expect(Object.keys(told.headers).join()).not.toContain('access-control')
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a form cannot send what is needed: %s',
  async (type) => {
    expect((await send(open, { 'content-type': type })).status).toBe(415)
  },
)

test('none of these requests has reached the upstream but those that were fine', () => {
  expect(upstream.seen).toHaveLength(4)
})

test.each<Record<string, string>>([
  {},
  { 'x-api-key': 'the-proxy-ke' },
  { 'x-api-key': 'the-proxy-key2' },
  { authorization: 'Bearer wrong' },
])('without the key nothing is answered, and nothing is tried again: %j', async (headers) => {
  const told = await post(locked, {}, headers)
  expect(told.status).toBe(401)
  expect(told.headers.get('x-should-retry')).toBe('false')
  expect(await told.json()).toMatchObject({ error: { type: 'authentication_error' } })
})

test.each<Record<string, string>>([
  { 'x-api-key': 'the-proxy-key' },
  { authorization: 'Bearer the-proxy-key' },
  { 'x-hydra-key': 'the-proxy-key', 'x-api-key': 'other' },
])('the key is taken from %j, and stays here', async (headers) => {
  expect((await post(locked, {}, headers)).status).toBe(200)
  expect(upstream.seen.at(-1)?.rawHeaders.join()).not.toContain('the-proxy-key')
})

test('every endpoint asks for the key', async () => {
  for (const path of ['/', '/health', '/v1/models', '/nowhere']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await fetch(locked.url + path)).status).toBe(401)
  }
})

test('neither body nor headers choose the upstream', async () => {
  const before = upstream.seen.length
  const fields = { base_url: 'http://127.0.0.1:9', api_base: 'http://127.0.0.1:9', url: 'http://127.0.0.1:9' }
  const headers = { 'x-base-url': 'http://127.0.0.1:9', 'x-hydra-upstream': 'http://127.0.0.1:9' }
  expect((await post(open, fields, headers)).status).toBe(200)
  expect(upstream.seen.length - before).toBe(1)
  expect(upstream.seen.at(-1)?.bytes.toString()).not.toContain('127.0.0.1:9')
  expect(upstream.seen.at(-1)?.rawHeaders.join()).not.toContain('127.0.0.1:9')
})

test.each([
  ['one that is too long', `x-long: ${'x'.repeat(33 * 1024)}\r\n`],
  ['many that are short', 'x-short: x\r\n'.repeat(2900)],
])('headers of more than 32 KB are refused, and the connection is closed: %s', async (_name, headers) => {
  const before = upstream.seen.length
  const client = await rawConnection(open.port)
  client.socket.write(`POST /v1/messages HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`)
  await client.closed
  expect(client.received()).toMatch(/^HTTP\/1\.1 431 /)
  expect(upstream.seen.length).toBe(before)
})

test('headers of less are fine, and so are many', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'x']))
  expect((await send(open, { ...JSON_TYPE, ...many, 'x-long': 'x'.repeat(20 * 1024) })).status).toBe(200)
})

test.each([
  ['1,000', 1000, 0, 200],
  ['1,001', 1001, 0, 431],
  ['few and long', 1, 32_000, 200],
  ['few and too long', 1, 33_000, 431],
])('headers are bounded as the document says: %s', async (_name, count, length, status) => {
  const client = await rawConnection(open.port)
  const own = ['host: localhost', 'connection: close']
  const more = Array.from(
    { length: Math.max(0, count - own.length) },
    (_, index) => `x${index.toString(36)}: 1`,
  )
  const long = length === 0 ? [] : [`long: ${'x'.repeat(length)}`]
  client.socket.write(`GET /health HTTP/1.1\r\n${[...own, ...more, ...long].join('\r\n')}\r\n\r\n`)
  await client.closed
  expect(client.received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})
