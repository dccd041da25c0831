import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { CHUNKED_HEAD, chunked, EVENTS, jsonAnswer, WHOLE_ANSWER } from './answers.ts'
import { closing, expectNothingUnhandled } from './eventually.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { readBroken } from './read-broken.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const OVERFLOW = jsonAnswer(400, {
  error: {
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
  },
})

async function proxyBefore(answer: string): Promise<Proxy> {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(answer)))
  return opened(startProxy({ upstream: upstream.url }))
}

function ask({ url }: Proxy, path: string, body: object, agent = 'any/1.0'): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer any', 'user-agent': agent }
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify({ model: 'm', ...body }) })
}

const CODEX = 'codex_exec/0.169.0 (Linux; x86_64)'
const HI = [{ role: 'user', content: 'Hi' }]

test('an overflow is a failed stream for Codex if it asked for one', async () => {
  const proxy = await proxyBefore(OVERFLOW)
  const response = await ask(proxy, '/v1/responses', { input: 'Hi', stream: true }, CODEX)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('x-request-id')).toBe('req_id')
  const events = (await response.text()).trim().split('\n\n')
  expect(events[0]).toMatch(/^event: response\.created\n/)
  expect(events.at(-1)).toMatch(/^event: response\.failed\ndata: .*"code":"context_length_exceeded"/)
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'failed',
    status: 200,
    error: { kind: 'invalid_request_error' },
  })
  expect(proxy.gateway.active).toBe(0)
})

test.each([
  ['did not ask for a stream', '/v1/responses', { input: 'Hi' }, CODEX],
  ['speak Responses and are not Codex', '/v1/responses', { input: 'Hi', stream: true }],
  ['speak Chat', '/v1/chat/completions', { messages: HI, stream: true }],
  ['speak Messages', '/v1/messages', { messages: HI, max_tokens: 9, stream: true }],
])('an overflow is status 400 for clients that %s', async (_name, path, body, agent?: string) => {
  const proxy = await proxyBefore(OVERFLOW)
  const response = await ask(proxy, path, body, agent)
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', status: 400 })
})

test('other failures keep their status, and so do faults of the request itself', async () => {
  const busy = await proxyBefore(jsonAnswer(429, { error: { message: 'slow down' } }))
  expect((await ask(busy, '/v1/responses', { input: 'Hi', stream: true })).status).toBe(429)
  const proxy = await proxyBefore(WHOLE_ANSWER)
  expect((await ask(proxy, '/v1/responses', { input: 7, stream: true })).status).toBe(400)
})

const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }]

// What the real agents were seen to ask again after; anything else makes some of them give up.
const CUTS = [
  [
    '/v1/messages',
    { messages: HI, max_tokens: 9, stream: true },
    /event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error","message":"Overloaded: upstream up: [^\n]+\}\}\n\n$/,
    true,
  ],
  [
    '/v1/chat/completions',
    { messages: HI, stream: true },
    /data: \{"error":\{"message":"Overloaded: upstream up: .*"code":"503"\}\}\n\n$/,
    true,
  ],
  [
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    { contents: CONTENTS },
    /data: \{"error":\{"code":503,"message":"upstream up: [^\r]*"status":"UNAVAILABLE"\}\}\r\n/,
    false,
  ],
  // After a clean end one of its clients takes the beginning for the whole answer.
  [
    '/v1/responses',
    { input: 'Hi', stream: true },
    /event: response\.failed\ndata: .*"code":"server_error","message":"upstream up: .*\n\n$/,
    false,
  ],
] as const

test.each(CUTS)(
  'an answer that breaks off ends at %s in the form after which agents ask again',
  async (path, body, end, isWhole) => {
    const upstream = await opened(
      scriptedUpstream((wire) => wire.end(CHUNKED_HEAD + EVENTS.slice(0, 2).map(chunked).join(''))),
    )
    const proxy = await opened(startProxy({ upstream: upstream.url }))
    const answer = await readBroken(await ask(proxy, path, body))
    expect(answer.text).toMatch(end)
    expect(answer.isWhole).toBe(isWhole)
    expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', status: 200 })
  },
)

test('a program that gives no name gets a failed stream of Responses with a clean end', async () => {
  const upstream = await opened(
    scriptedUpstream((wire) => wire.end(CHUNKED_HEAD + EVENTS.slice(0, 2).map(chunked).join(''))),
  )
  const proxy = await opened(startProxy({ upstream: upstream.url }))
  const sent = request(`${proxy.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
  })
  sent.end(JSON.stringify({ model: 'm', input: 'Hi', stream: true }))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  expect(await text(answer)).toMatch(/event: response\.failed\ndata: .*\n\n$/)
  expect(answer.complete).toBe(true)
})

// It waits for a minute after an error, or gives up; after a break it goes on at once.
test.each(['/v1/chat/completions', '/v1/responses', '/v1beta/models/m:streamGenerateContent?alt=sse'])(
  'for Qwen Code an answer that breaks off at %s is a broken connection, and nothing else',
  async (path) => {
    const upstream = await opened(
      scriptedUpstream((wire) => wire.end(CHUNKED_HEAD + EVENTS.slice(0, 2).map(chunked).join(''))),
    )
    const proxy = await opened(startProxy({ upstream: upstream.url }))
    const headers = { 'content-type': 'application/json', 'user-agent': 'QwenCode/0.24.4 (linux; x64)' }
    const body = JSON.stringify(
      path.startsWith('/v1beta')
        ? { contents: CONTENTS }
        : { model: 'm', messages: HI, input: 'Hi', stream: true },
    )
    const answer = await readBroken(await fetch(proxy.url + path, { method: 'POST', headers, body }))
    expect(answer.isWhole).toBe(false)
    expect(answer.text).not.toMatch(/"error":\{|event: error|response\.failed/)
    expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', error: { kind: 'api_error' } })
  },
)
