import { inspect } from 'node:util'
import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { Secret } from '../src/index.ts'
import { CHUNKED_HEAD, chunked, CLOSING_HEAD, jsonAnswer, textEvent, WHOLE_ANSWER } from './answers.ts'
import { closing, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, post, type Proxy, startProxy } from './proxy.ts'
import {
  type Script,
  scriptedUpstream,
  type ScriptedUpstream,
  type WireRequest,
} from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

/** Keys that no pattern knows, so that only knowing them can hide them. */
const UPSTREAM_KEY = 'CANARYupstream0123456789'
const OTHER_KEY = 'CANARYother0123456789'
const GUARD_KEY = 'CANARYguard0123456789'
const CLIENT_KEY = 'CANARYclient0123456789'

/** Upstreams that quote the key they were called with wherever they can. */
const QUOTING: Readonly<Record<string, Script>> = {
  'in an error body': (wire, request) =>
    wire.write(jsonAnswer(401, { error: { message: `wrong key ${keyOf(request)}` } })),
  'in an error page': (wire, request) =>
    wire.end(`HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n<html>${keyOf(request)}</html>`),
  'in a header': (wire, request) =>
    wire.write(jsonAnswer(429, { error: { message: 'no' } }, [`x-debug: ${keyOf(request)}`])),
  'in the first event': (wire, request) =>
    wire.end(`${CLOSING_HEAD}data: ${JSON.stringify({ error: { message: keyOf(request) } })}\n\n`),
  'in an error after text': (wire, request) =>
    wire.write(
      CHUNKED_HEAD +
        chunked(textEvent('Hello')) +
        chunked(`data: ${JSON.stringify({ error: { message: keyOf(request) } })}\n\n`),
    ),
  'in a stray line': (wire, request) => wire.end(`${CLOSING_HEAD}oops: ${keyOf(request)}\n\n`),
  'in the header of a good answer': (wire, request) =>
    wire.write(WHOLE_ANSWER.replace('\r\n\r\n', `\r\nx-key: ${keyOf(request)}\r\n\r\n`)),
  'by breaking off': (wire) => wire.reset(),
}

/** Keys that other things than their exact spelling would leave in the words of an error, at least in part. */
const AWKWARD_KEYS = [
  'sk-litellm.MASTER-CANARY.with.dots',
  'CANARY"with\\"quotes"and\\\\slashes',
  'CANARY/with+base64==/0123',
]

/** Every way to quote a key such that it is cut, masked or encoded before it is told. */
const AWKWARD: Readonly<Record<string, (key: string) => string>> = {
  'in an error body': (key) => jsonAnswer(401, { error: { message: `wrong key ${key}, sorry` } }),
  'in JSON that an error quotes': (key) =>
    jsonAnswer(400, { error: { message: `upstream said: {"error": {"message": ${JSON.stringify(key)}` } }),
  'at the cut of a long message': (key) =>
    jsonAnswer(400, { error: { message: `${'.'.repeat(1999 - key.length / 2)}${key}` } }),
  'at the cut of an error page': (key) =>
    `HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n${' '.repeat(20_000 - key.length / 2)}${key}`,
  'in the code of an error': (key) => jsonAnswer(400, { error: { code: key } }),
  'in an event of a stream': (key) =>
    `${CLOSING_HEAD}${textEvent('Hello')}data: ${JSON.stringify({ error: { message: key } })}\n\n`,
  'at the cut of a stray line': (key) => `${CLOSING_HEAD}oops: ${'.'.repeat(190 - key.length / 2)}${key}\n\n`,
  'in the name of a field': (key) =>
    `${CLOSING_HEAD}data: ${JSON.stringify({ choices: [{ index: 0, delta: { [`${'.'.repeat(270)}${key}`]: 1 } }] })}\n\n`,
}

for (const [where, answer] of Object.entries(AWKWARD)) {
  test.each(AWKWARD_KEYS)(`no piece of a key gets out that an upstream quotes ${where}: %s`, async (key) => {
    const upstream = await opened(scriptedUpstream((wire) => wire.end(answer(key))))
    const proxy = await opened(
      startProxy({ upstreams: { up: chatUpstream(upstream.url, { key: new Secret(key) }) } }),
    )
    const response = await post(proxy)
    const seen = (await response.text().catch(String)) + JSON.stringify(proxy.reports)
    expect(proxy.reports[0]?.outcome).toBe('failed')
    // Not even as much of it as makes a word.
    for (let at = 4; at + 6 <= key.length; at += 1) expect(seen).not.toContain(key.slice(at, at + 6))
  })
}

test('a secret in the headers of an upstream is not told either', async () => {
  const secret = 'CANARYheader0123456789'
  const upstream = await opened(
    scriptedUpstream((wire) => wire.write(jsonAnswer(401, { error: { message: `who is ${secret}?` } }))),
  )
  const headers = { 'x-auth-token': `Bearer ${secret}` }
  const proxy = await opened(startProxy({ upstreams: { up: chatUpstream(upstream.url, { headers }) } }))
  expect(await (await post(proxy)).text()).toContain('who is [redacted]?')
})

function keyOf({ headers }: WireRequest): string {
  return headers['authorization']?.replace('Bearer ', '') ?? ''
}

interface Setting {
  readonly proxy: Proxy
  readonly upstream: ScriptedUpstream
  readonly other: ScriptedUpstream
}

async function setting(script: Script): Promise<Setting> {
  const upstream = await opened(scriptedUpstream(script))
  const other = await opened(
    scriptedUpstream((wire) => wire.write(jsonAnswer(400, { error: { message: 'no' } }))),
  )
  const proxy = await opened(
    startProxy({
      upstreams: {
        up: chatUpstream(upstream.url, { key: new Secret(UPSTREAM_KEY) }),
        other: chatUpstream(other.url, { key: new Secret(OTHER_KEY) }),
        claude: {
          dialect: 'anthropic',
          url: other.url,
          profile: profiles.anthropic,
          key: new Secret(OTHER_KEY),
        },
      },
      routes: [
        { name: 'through', match: { models: ['through'] }, upstream: 'claude', passthrough: true },
        { name: 'other', match: { models: ['other'] }, upstream: 'other' },
        { name: 'all', upstream: 'up', model: 'm', fallbacks: [{ upstream: 'other' }] },
      ],
      guard: { key: new Secret(GUARD_KEY) },
      traces: true,
    }),
  )
  return { proxy, upstream, other }
}

const HEADERS = { 'x-hydra-key': GUARD_KEY, 'x-api-key': CLIENT_KEY, authorization: `Bearer ${CLIENT_KEY}` }

for (const [where, script] of Object.entries(QUOTING)) {
  for (const stream of [true, false]) {
    test(`no key gets out when the upstream quotes it ${where} (stream: ${stream})`, async () => {
      const { proxy, upstream, other } = await setting(script)
      const response = await post(proxy, { stream }, { headers: HEADERS })
      const seen = [...response.headers].join('\n') + (await response.text().catch(String))
      expect(seen).not.toContain('CANARY')
      expect(inspect(proxy.reports, { depth: Infinity }) + JSON.stringify(proxy.reports)).not.toContain(
        'CANARY',
      )
      const sent = JSON.stringify(upstream.requests)
      expect(sent.match(/CANARY\w+/g)).toEqual([UPSTREAM_KEY])
      expect(JSON.stringify(other.requests).match(/CANARY\w+/g) ?? [OTHER_KEY]).toEqual([OTHER_KEY])
    })
  }
}

test('a passthrough takes the client’s credentials and nobody else’s', async () => {
  const { proxy, other } = await setting(() => {})
  await (await post(proxy, { model: 'through' }, { headers: HEADERS })).text()
  expect(new Set(JSON.stringify(other.requests).match(/CANARY\w+/g))).toEqual(new Set([CLIENT_KEY]))
  expect(inspect(proxy.reports, { depth: Infinity })).not.toContain('CANARY')
})

test('a wrong key is refused without being quoted', async () => {
  const { proxy, upstream } = await setting(() => {})
  const response = await post(proxy, {}, { headers: { 'x-api-key': CLIENT_KEY } })
  expect(response.status).toBe(401)
  expect(await response.text()).not.toContain('CANARY')
  expect(JSON.stringify(proxy.reports)).not.toContain('CANARY')
  expect(upstream.requests).toHaveLength(0)
})

test('what is passed through is told without the secret headers of its upstream', async () => {
  const upstream = await opened(
    scriptedUpstream((wire, { headers }) =>
      wire.write(
        jsonAnswer(400, { type: 'error', error: { type: 'x', message: `got ${headers['x-door-token']}` } }),
      ),
    ),
  )
  const headers = { 'x-door-token': 'CANARYdoor.0123/456789' }
  const up = { dialect: 'anthropic', url: upstream.url, profile: profiles.anthropic, headers }
  const routes = [{ name: 'through', upstream: 'up', passthrough: true }]
  const proxy = await opened(startProxy({ upstreams: { up }, routes }))
  await (await post(proxy)).text()
  expect(proxy.reports[0]?.error?.message).toBe('got [redacted]')
})
