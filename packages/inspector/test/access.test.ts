import { request as httpRequest } from 'node:http'
import { answer, startUpstream, type ScriptedUpstream } from '@hydra/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveServer, startLive, UPSTREAM_KEY } from './live-server.ts'

const KEY = 'the-key-of-this-proxy-0123456789'
const CLIENT_KEY = 'sk-ant-client-canary-0123456789abcdef'

let upstream: ScriptedUpstream
let open: LiveServer
let locked: LiveServer

beforeAll(async () => {
  upstream = await startUpstream(answer({ text: `my key is ${UPSTREAM_KEY}, said the model`, piece: 3 }))
  open = await startLive(upstream.url)
  locked = await startLive(upstream.url, { key: KEY })
  await open.ask('Who are you?', { 'x-api-key': CLIENT_KEY, authorization: `Bearer ${CLIENT_KEY}` })
  await locked.ask('Who are you?')
})

afterAll(async () => {
  await open.close()
  await locked.close()
  await upstream.close()
})

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** A request with any headers, also those that `fetch` sets itself. */
function send(url: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const api = (server: LiveServer, path = 'session'): string => `${server.url}/_hydra/api/${path}`

test('the page and its files are served with a strict policy, and the page without a slash leads to it', async () => {
  const page = await send(`${open.url}/_hydra/`)
  expect(page.status).toBe(200)
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(page.text).not.toMatch(/<script>|<style|style=|onload=/)
  expect((await send(`${open.url}/_hydra/viewer.js`)).status).toBe(200)
  expect((await send(`${open.url}/_hydra`)).headers['location']).toBe('_hydra/')
})

test.for([
  ['a page of the same origin', { origin: 'self', 'sec-fetch-site': 'same-origin' }, 200],
  ['somebody without a browser', {}, 200],
  ['a page of another origin', { origin: 'https://evil.example' }, 403],
  ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
  ['a page in a sandbox', { origin: 'null' }, 403],
  ['a script element of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a page of another port without an Origin', { 'sec-fetch-site': 'same-site' }, 403],
  ['a name that leads here by a trick', { host: 'evil.example' }, 403],
] as const)('%s', async ([, wanted, status]) => {
  const headers: Record<string, string> = { ...wanted }
  if (headers['origin'] === 'self') headers['origin'] = open.url
  const answered = await send(api(open), headers)
  expect(answered.status).toBe(status)
  expect(answered.headers['access-control-allow-origin']).toBeUndefined()
  if (status === 403) expect(answered.text).not.toContain('gpt-test')
})

test('a foreign name gets not even the page', async () => {
  expect((await send(`${open.url}/_hydra/`, { host: 'evil.example' })).status).toBe(403)
})

test('with a key set everything that is inspected needs it, in a header or in the cookie that it is changed for', async () => {
  for (const path of [
    'session',
    'feed',
    'exchanges/live-1',
    'summaries?ids=live-1',
    'search?words=who',
    'exchanges/live-1/html',
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await send(api(locked, path))).status, path).toBe(401)
  }
  expect((await send(api(locked), { cookie: `hydra_inspector=${KEY}` })).status).toBe(401)
  expect((await send(api(locked), { 'x-api-key': KEY })).status).toBe(200)
  const json = { 'content-type': 'application/json', origin: locked.url }
  expect((await send(api(locked, 'login'), json, JSON.stringify({ key: 'wrong' }))).status).toBe(401)
  const foreign = { ...json, origin: 'https://evil.example' }
  expect((await send(api(locked, 'login'), foreign, JSON.stringify({ key: KEY }))).status).toBe(403)
  const login = await send(api(locked, 'login'), json, JSON.stringify({ key: KEY }))
  const [cookie = ''] = [login.headers['set-cookie']].flat()
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain(KEY)
  expect((await send(api(locked), { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200)
})

test('no key of a client or an upstream is in anything that is shown or saved', async () => {
  const paths = [
    'session',
    'exchanges/live-1',
    'summaries?ids=live-1',
    'exchanges/live-1/request',
    'exchanges/live-1/tape',
    'exchanges/live-1/html',
  ]
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { status, text } = await send(api(open, path))
    expect(status, path).toBe(200)
    for (const key of [UPSTREAM_KEY, CLIENT_KEY]) expect(text, path).not.toContain(key)
  }
  const { text } = await send(api(open, 'summaries?ids=live-1'))
  expect(text).toContain('said the model')
})

test('an exchange is saved as a tape that can be read', async () => {
  const { text, headers } = await send(api(open, 'exchanges/live-1/tape'))
  expect(headers['content-disposition']).toBe('attachment')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(lines[0]).toMatchObject({ tape: 1 })
  expect(lines.at(-1)).toMatchObject([
    lines.length - 1,
    expect.any(Number),
    1,
    '',
    'end',
    { outcome: 'answered' },
  ])
})

test('a request is sent again to another model, and both answers are there', async () => {
  const before = open.inspector.store.size
  const json = { 'content-type': 'application/json', origin: open.url }
  const { status } = await send(
    api(open, 'exchanges/live-1/again'),
    json,
    JSON.stringify({ model: 'another' }),
  )
  expect(status).toBe(200)
  expect(open.inspector.store.size).toBe(before + 1)
  await expect
    .poll(async () => (await send(api(open, `exchanges/live-${before + 1}`))).text)
    .toContain('"asked":"another"')
})
