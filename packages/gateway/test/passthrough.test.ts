import { zstdCompressSync } from 'node:zlib'
import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { Secret } from '../src/index.ts'
import { chunked, jsonAnswer, LAST_CHUNK } from './answers.ts'
import { closing, eventually, expectNothingUnhandled, inTime } from './eventually.ts'
import { messagesBody, post, type Proxy, type ProxyOptions, startProxy } from './proxy.ts'
import { type Leaving, rawClient } from './raw-client.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: r1\r\nset-cookie: a=b\r\nserver: x\r\ntransfer-encoding: chunked\r\n\r\n'
const STREAM = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":{"input_tokens":7,"output_tokens":1}}}\n\n' +
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}\n\n',
  ': a comment\n\nevent: something_new\ndata: {"type":"something_new"}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
]

const WHOLE = HEAD + STREAM.map(chunked).join('') + LAST_CHUNK

async function passing(
  script: Script,
  options: ProxyOptions = {},
): Promise<{ proxy: Proxy; upstream: ScriptedUpstream }> {
  const upstream = await opened(scriptedUpstream(script))
  const proxy = await opened(
    startProxy({
      upstreams: {
        up: {
          dialect: 'anthropic',
          url: upstream.url,
          profile: profiles.anthropic,
          key: new Secret('not-for-this'),
        },
      },
      routes: [{ name: 'through', upstream: 'up', passthrough: true }],
      ...options,
    }),
  )
  return { proxy, upstream }
}

test('request and answer go through byte for byte, with the client’s own credentials', async () => {
  const { proxy, upstream } = await passing((wire) =>
    wire.write(HEAD + STREAM.map(chunked).join('') + LAST_CHUNK),
  )
  const body =
    '{ "model":"x", "max_tokens": 5,"messages":[{"role":"user","content":"h\\u0069"}], "new": 1e2 }'
  const response = await fetch(`${proxy.url}/v1/messages?beta=true`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer mine',
      'anthropic-beta': 'b1',
      cookie: 'c=d',
    },
  })
  expect(await response.text()).toBe(STREAM.join(''))
  expect(response.headers.get('request-id')).toBe('r1')
  expect(response.headers.get('set-cookie')).toBeNull()
  const [request] = upstream.requests
  expect(request?.path).toBe('/v1/messages?beta=true')
  expect(request?.body).toBe(body)
  expect(request?.headers).toMatchObject({ authorization: 'Bearer mine', 'anthropic-beta': 'b1' })
  expect(request?.headers).not.toHaveProperty('x-api-key')
  expect(request?.headers).not.toHaveProperty('cookie')
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'answered',
    route: 'through',
    usage: { input_tokens: 7, output_tokens: 3 },
    stopReason: 'end_turn',
  })
  expect(proxy.gateway.active).toBe(0)
})

test('a request in another dialect does not pass: its credentials are for another provider', async () => {
  const { proxy, upstream } = await passing((wire) => wire.write(HEAD + LAST_CHUNK))
  const response = await fetch(`${proxy.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-of-openai' },
    body: JSON.stringify({ model: 'claude-x', input: 'Hi', stream: true }),
  })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    error: {
      param: 'model',
      message:
        "model: no route for 'claude-x': route through passes unchanged what clients of its dialect send",
    },
  })
  expect(upstream.requests).toHaveLength(0)
})

test('a body that came packed goes on unpacked, and is not said to be packed', async () => {
  const { proxy, upstream } = await passing((wire) =>
    wire.write(HEAD + STREAM.map(chunked).join('') + LAST_CHUNK),
  )
  const body = new Uint8Array(zstdCompressSync(messagesBody()))
  const headers = { 'content-encoding': 'zstd', 'content-type': 'application/json' }
  const response = await fetch(`${proxy.url}/v1/messages`, { method: 'POST', body, headers })
  expect(await response.text()).toBe(STREAM.join(''))
  expect(upstream.requests[0]?.body).toBe(messagesBody())
  expect(upstream.requests[0]?.headers).not.toHaveProperty('content-encoding')
})

test('a request of a form that is not known here is for the upstream to judge', async () => {
  const { proxy, upstream } = await passing((wire) => wire.write(WHOLE), {
    loopGuard: { mode: 'stop' },
    routes: [
      { name: 'through', match: { models: ['claude-*'] }, upstream: 'up', passthrough: true },
      { name: 'translated', upstream: 'up', translate: 'always' },
    ],
  })
  const fields = { max_tokens: undefined, messages: [{ role: 'developer', content: [{ hologram: 1 }] }] }
  expect((await post(proxy, fields)).status).toBe(200)
  expect(upstream.requests[0]?.body).toBe(messagesBody(fields))
  expect(proxy.reports[0]).toMatchObject({ route: 'through', clientModel: 'claude-x', stream: true })
  const refused = await post(proxy, { ...fields, model: 'gpt' })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringContaining('max_tokens') as string },
  })
  expect(upstream.requests).toHaveLength(1)
})

test('our own key stays with us, whichever header brings it', async () => {
  const { proxy, upstream } = await passing((wire) => wire.write(WHOLE), {
    guard: { key: new Secret('gateway-key') },
  })
  for (const headers of [
    { 'x-api-key': 'gateway-key', authorization: 'Bearer mine' },
    { authorization: 'Bearer gateway-key', 'x-api-key': 'mine' },
    { 'x-hydra-key': 'gateway-key', 'x-api-key': 'mine' },
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await (await post(proxy, {}, { headers })).text()
  }
  expect(upstream.requests).toHaveLength(3)
  expect(JSON.stringify(upstream.requests)).not.toContain('gateway-key')
  expect(JSON.stringify(upstream.requests).match(/mine/g)).toHaveLength(3)
})

test('a status of the upstream is the client’s to see, and is not tried again', async () => {
  const { proxy, upstream } = await passing(
    (wire) => wire.write('HTTP/1.1 529 Busy\r\nretry-after: 3\r\ncontent-length: 4\r\n\r\nbusy'),
    { retries: { times: 2, pause: 1 } },
  )
  const response = await post(proxy)
  expect(response.status).toBe(529)
  expect(response.headers.get('retry-after')).toBe('3')
  expect(await response.text()).toBe('busy')
  expect(upstream.requests).toHaveLength(1)
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'failed',
    status: 529,
    error: { kind: 'overloaded_error', message: 'busy' },
  })
})

test('an answer in one piece is reported with its tokens and calls, and without notes', async () => {
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 7, output_tokens: 3 },
  }
  const { proxy } = await passing((wire) => wire.write(jsonAnswer(200, message)))
  const response = await post(proxy, { stream: false, field_of_tomorrow: true })
  expect(await response.json()).toEqual(message)
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'answered',
    usage: { input_tokens: 7, output_tokens: 3 },
    stopReason: 'tool_use',
    toolCalls: 1,
    notes: [],
  })
})

test('an error of the upstream is reported in its own words, without the client’s key', async () => {
  const error = { type: 'authentication_error', message: 'invalid key key-of-the-client' }
  const { proxy } = await passing((wire) => wire.write(jsonAnswer(401, { type: 'error', error })))
  const response = await post(proxy, {}, { headers: { 'x-api-key': 'key-of-the-client' } })
  expect(await response.json()).toEqual({ type: 'error', error })
  expect(proxy.reports[0]?.error).toEqual({
    kind: 'authentication_error',
    message: 'invalid key [redacted]',
  })
})

test('an answer that is encoded is passed on, and not looked into', async () => {
  const { proxy } = await passing((wire) =>
    wire.write(jsonAnswer(529, { error: { message: 'no text' } }, ['content-encoding: x-own'])),
  )
  const response = await post(proxy)
  expect(response.headers.get('content-encoding')).toBe('x-own')
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'failed',
    status: 529,
    error: { kind: 'overloaded_error' },
  })
  expect(proxy.reports[0]?.error?.message).not.toContain('no text')
})

test('a redirect is not followed, and its address is not told', async () => {
  const { proxy } = await passing((wire) =>
    wire.write('HTTP/1.1 307 Elsewhere\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'),
  )
  const response = await post(proxy, {}, { redirect: 'manual' })
  expect(response.status).toBe(307)
  expect(response.headers.get('location')).toBeNull()
})

test('a connection that fails before the answer is tried again', async () => {
  const { proxy, upstream } = await passing(
    (wire, _request, index) => (index === 0 ? wire.reset() : wire.write(WHOLE)),
    { retries: { times: 2, pause: 1 } },
  )
  expect((await post(proxy)).status).toBe(200)
  expect(upstream.requests).toHaveLength(2)
})

const CLOSED_BY_END = HEAD.replace('transfer-encoding: chunked\r\n', '')

test.each([
  ['in chunks', (sent: string) => HEAD + chunked(sent)],
  ['whose end is that of the connection', (sent: string) => CLOSED_BY_END + sent],
])('a cut of a body %s is told the client as an error, and counts as one', async (_name, answer) => {
  const { proxy } = await passing((wire) => wire.end(answer((STREAM[0] ?? '') + 'event: content_bl')))
  const response = await post(proxy)
  const text = await inTime(response.text(), 'the cut')
  expect(text.startsWith(STREAM[0] ?? '?')).toBe(true)
  expect(text.slice(STREAM[0]?.length)).toMatch(/^event: error\ndata: .*"type":"\w+_error"/)
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', error: { kind: 'api_error' } })
  expect(proxy.gateway.active).toBe(0)
})

test('an answer that is cut before its first event is a 502', async () => {
  const { proxy } = await passing((wire) => wire.end(CLOSED_BY_END))
  const response = await post(proxy)
  expect(response.status).toBe(502)
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', status: 502 })
})

test('a whole answer that is cut is a 502', async () => {
  const { proxy } = await passing((wire) =>
    wire.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"type":"message","content":['),
  )
  expect((await post(proxy, { stream: false })).status).toBe(502)
})

test('an error of the upstream within its stream goes through, and counts as one', async () => {
  const error =
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'
  const { proxy } = await passing(async (wire) => {
    await wire.write(HEAD + chunked(STREAM[0] ?? ''))
    await eventually(() => proxy.reports.length > 0 || proxy.gateway.active > 0, 'the beginning')
    await wire.write(chunked(error) + LAST_CHUNK)
  })
  const text = await (await post(proxy)).text()
  expect(text).toBe(STREAM[0] + error)
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'failed',
    error: { kind: 'overloaded_error', message: 'busy' },
  })
})

test('a route that passes on may have a patience of its own', async () => {
  const { proxy } = await passing((wire) => wire.write(HEAD + chunked(STREAM[0] ?? '')), {
    routes: [{ name: 'lead', upstream: 'up', passthrough: true, timeouts: { idle: 50 } }],
  })
  expect(await inTime((await post(proxy)).text(), 'the end')).toContain(
    '"message":"Overloaded: upstream up: silent',
  )
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', error: { kind: 'timeout_error' } })
})

test('an upstream that falls silent is given up', async () => {
  const { proxy, upstream } = await passing((wire) => wire.write(HEAD + chunked(STREAM[0] ?? '')), {
    timeouts: { idle: 50 },
  })
  expect(await (await post(proxy)).text()).toContain('"message":"Overloaded: upstream up: silent')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', error: { kind: 'timeout_error' } })
})

test('a head and then silence is a 504', async () => {
  const { proxy } = await passing((wire) => wire.write(HEAD), { timeouts: { firstByte: 50, idle: 50 } })
  const response = await inTime(post(proxy), 'the end')
  expect(response.status).toBe(504)
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', status: 504, error: { kind: 'timeout_error' } })
})

test('a route cannot pass requests on to an upstream that no client speaks to', async () => {
  const up = { dialect: 'amazon-q', url: 'http://127.0.0.1:9', profile: profiles['amazon-q'] }
  const routes = [{ name: 'through', upstream: 'up', passthrough: true }]
  await expect(startProxy({ upstreams: { up }, routes })).rejects.toThrow(
    'routes.0.upstream: passthrough needs an upstream whose dialect clients speak: anthropic, ',
  )
})

test.each<Leaving>(['RST', 'FIN'])('a client that leaves with %s takes the call along', async (how) => {
  const { proxy, upstream } = await passing((wire) => wire.write(HEAD + chunked(STREAM[0] ?? '')))
  const client = await rawClient(proxy.port)
  await eventually(() => client.received().includes('message_start'), 'the beginning')
  client.leave(how)
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'aborted', status: 200 })
})

/** What a body still brings, and whether it was cut. */
async function restOf(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<string> {
  try {
    const piece = await reader?.read()
    if (piece === undefined || piece.done) return ''
    return new TextDecoder().decode(piece.value) + (await restOf(reader))
  } catch {
    return '(cut)'
  }
}

test('a passed stream that we end ourselves is told why, behind the last event that was whole', async () => {
  const begun = 'event: content_block_delta\ndata: {"ty'
  const { proxy } = await passing((wire) => wire.write(HEAD + chunked((STREAM[0] ?? '') + begun)))
  const response = await post(proxy, { stream: true })
  const reader = response.body?.getReader()
  const first = await inTime(reader?.read() ?? Promise.reject(new Error('no body')), 'the first event')
  await proxy.gateway.close()
  const rest = await restOf(reader)
  expect(new TextDecoder().decode(first?.value)).toBe(STREAM[0])
  expect(rest).toContain('"type":"overloaded_error"')
  expect(rest).not.toContain('(cut)')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', error: { kind: 'overloaded_error' } })
})
