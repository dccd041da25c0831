import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { HubError, profiles } from '@hydra/core'
import { Secret } from '../src/index.ts'
import { WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled, inTime } from './eventually.ts'
import { messagesBody, post, startProxy } from './proxy.ts'
import { rawClient } from './raw-client.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

test('the small endpoints answer by themselves', async () => {
  const proxy = await opened(startProxy({ models: ['a', 'b'] }))
  expect(await (await fetch(`${proxy.url}/health`)).json()).toEqual({
    status: 'ok',
    name: 'hydra',
    passes: false,
  })
  expect((await fetch(`${proxy.url}/api/hello`, { method: 'HEAD' })).status).toBe(200)
  const models = await fetch(`${proxy.url}/v1/models?limit=1000`, {
    headers: { 'anthropic-version': '2023-06-01' },
  })
  expect(await models.json()).toMatchObject({ first_id: 'a', last_id: 'b', has_more: false })
  const count = await fetch(`${proxy.url}/v1/messages/count_tokens?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: messagesBody(),
  })
  expect(await count.json()).toEqual({ input_tokens: expect.any(Number) as number })
})

test('health says whether requests are passed on with the credentials of the client', async () => {
  const proxy = await opened(
    startProxy({
      upstreams: { claude: { dialect: 'anthropic', url: 'http://127.0.0.1:9', profile: profiles.anthropic } },
      routes: [{ name: 'lead', match: { marker: 'hydra:lead' }, upstream: 'claude', passthrough: true }],
    }),
  )
  expect(await (await fetch(`${proxy.url}/health`)).json()).toMatchObject({ name: 'hydra', passes: true })
})

test('models are those that the routes name, without wildcards, and those that pass come last', async () => {
  const proxy = await opened(
    startProxy({
      routes: [
        { name: 'passed', match: { models: ['claude-x', 'claude-*'] }, upstream: 'up', passthrough: true },
        { name: 'table', upstream: 'up', match: { hasTools: false }, models: { small: 's', '*': 'big' } },
        { name: 'all', upstream: 'up', model: 'm', spoof: 'told' },
      ],
    }),
  )
  const headers = { authorization: 'Bearer any' }
  const list = await fetch(`${proxy.url}/v1/models`, { headers })
  const { data } = (await list.json()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).toEqual(['small', 'told', 'm', 'claude-x'])
})

test('an endpoint that does not exist is an error in the client’s dialect, and a report', async () => {
  const proxy = await opened(startProxy({}))
  const response = await fetch(`${proxy.url}/v1/nothing`)
  expect(response.status).toBe(404)
  expect(response.headers.get('request-id')).toBe('req_id')
  expect(await response.json()).toEqual({
    type: 'error',
    error: { type: 'not_found_error', message: 'GET /v1/nothing: there is no such endpoint' },
    request_id: 'req_id',
  })
  expect(proxy.reports[0]).toMatchObject({ path: '/v1/nothing', outcome: 'failed', status: 404 })
})

test('a base URL with a version too many is told', async () => {
  const proxy = await opened(startProxy({}))
  const response = await fetch(`${proxy.url}/v1/v1/messages`, { method: 'POST' })
  expect(await response.text()).toContain("no such endpoint; this client's base URL must not end in /v1")
})

test.each<[string, RequestInit, number]>([
  ['no JSON', { body: '{"model":' }, 400],
  ['an empty body', { body: '' }, 400],
  ['bytes that are not UTF-8', { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400],
  ['a form', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
  ['packed in an unknown way', { headers: { 'content-encoding': 'lzma' } }, 415],
  ['said to be packed and is not', { headers: { 'content-encoding': 'gzip' } }, 400],
  ['a model without a route', { body: messagesBody({ model: 'unknown' }) }, 404],
])('a request that is %s is refused', async (_name, init, status) => {
  const proxy = await opened(
    startProxy({ routes: [{ name: 'r', match: { models: ['claude-*'] }, upstream: 'up' }] }),
  )
  const response = await post(proxy, {}, init)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ type: 'error', request_id: 'req_id' })
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
})

test('a body beyond the limit is refused while it still comes, and the connection survives', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const proxy = await opened(startProxy({ upstream: upstream.url, limits: { body: 1000 } }))
  const known = await post(proxy, { system: 'x'.repeat(200_000) })
  expect(known.status).toBe(413)
  expect(await known.json()).toMatchObject({ error: { type: 'request_too_large' } })
  const socket = connect(proxy.port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => (received += bytes.toString()))
  socket.write(
    'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  socket.write(`7d0\r\n${'x'.repeat(2000)}\r\n`)
  await eventually(() => received.includes('request_too_large'), 'the refusal, before the body is complete')
  socket.destroy()
  expect((await post(proxy)).status).toBe(200)
})

test('a client that closes its connection afterwards still reads why its long body was refused', async () => {
  const proxy = await opened(startProxy({ limits: { body: 1000 } }))
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(proxy.port, '127.0.0.1')
    let received = ''
    let failure = ''
    socket.on('data', (bytes) => (received += bytes.toString()))
    socket.on('error', (error) => (failure = error.message))
    socket.write(
      'POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 4000000\r\n\r\n',
    )
    for (let piece = 0; piece < 40; piece += 1) socket.write('x'.repeat(100_000))
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await inTime(once(socket, 'close'), 'the end of the connection')
    expect([failure, received]).toEqual([
      '',
      expect.stringMatching(/^HTTP\/1\.1 413[^]*request_too_large[^]*\}$/) as string,
    ])
  }
})

test.each([
  ['/v1/messages', 408],
  ['/v1/messages/count_tokens', 408],
  ['/api/event_logging/batch', 200],
  ['/v1/nothing', 404],
])('a body for %s that does not arrive is given up, and its connection closed', async (path, status) => {
  const proxy = await opened(startProxy({ timeouts: { firstByte: 100 } }))
  const { socket, received } = await rawClient(proxy.port, { path, sentBody: 1 })
  const closed = once(socket, 'close')
  await eventually(() => received().startsWith(`HTTP/1.1 ${status}`), 'an answer')
  expect(proxy.gateway.active).toBe(0)
  await inTime(closed, 'the end of the connection')
})

test('a body whose rest comes after the answer leaves the connection as it is', async () => {
  const proxy = await opened(startProxy({}))
  const client = await rawClient(proxy.port, { path: '/v1/nothing', sentBody: 1 })
  await eventually(() => client.received().startsWith('HTTP/1.1 404'), 'an answer')
  client.sendRest()
  client.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  await eventually(() => client.received().includes('"status":"ok"'), 'a second answer')
})

test('a client that leaves while its prompt is to be counted is not waited for', async () => {
  const proxy = await opened(startProxy({}))
  const client = await rawClient(proxy.port, { path: '/v1/messages/count_tokens', sentBody: 1 })
  await eventually(() => proxy.gateway.active === 1, 'a request under way')
  client.leave('RST')
  await eventually(() => proxy.reports[0]?.outcome === 'aborted', 'a report')
  expect(proxy.gateway.active).toBe(0)
})

test('the guard and the authorization come before everything else', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const proxy = await opened(
    startProxy({
      upstream: upstream.url,
      guard: { key: new Secret('the-key') },
      authorize: ({ headers }) =>
        headers['x-team'] === undefined ? new HubError('permission_error', 'which team?') : true,
    }),
  )
  expect((await post(proxy)).status).toBe(401)
  expect((await fetch(`${proxy.url}/health`)).status).toBe(401)
  expect((await post(proxy, {}, { headers: { 'x-api-key': 'the-key' } })).status).toBe(403)
  expect(upstream.requests).toHaveLength(0)
  expect((await post(proxy, {}, { headers: { 'x-api-key': 'the-key', 'x-team': 'a' } })).status).toBe(200)
})

test('hooks that fail take nothing with them', async () => {
  const complaints: unknown[] = []
  const { error } = console
  console.error = (...words: unknown[]) => complaints.push(words)
  try {
    const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
    const thrower = await opened(
      startProxy({
        upstream: upstream.url,
        onExchange: () => {
          throw new Error('sync')
        },
      }),
    )
    expect(await (await post(thrower)).text()).toContain('event: message_stop')
    const rejecter = await opened(
      startProxy({ upstream: upstream.url, onExchange: () => Promise.reject(new Error('later')) as never }),
    )
    expect(await (await post(rejecter)).text()).toContain('event: message_stop')
    expect(thrower.gateway.active + rejecter.gateway.active).toBe(0)
    await eventually(() => complaints.length === 2, 'both are seen')
  } finally {
    console.error = error
  }
})

test('an authorization that throws is the client’s answer', async () => {
  const proxy = await opened(
    startProxy({ authorize: () => Promise.reject(new HubError('billing_error', 'pay')) }),
  )
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(402)
})
