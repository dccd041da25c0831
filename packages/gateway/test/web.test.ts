import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { createGateway, type ExchangeReport, type Gateway } from '../src/index.ts'
import {
  CHUNKED_HEAD,
  chunked,
  CLOSING_HEAD,
  EVENTS,
  FINISH,
  jsonAnswer,
  textEvent,
  WHOLE_ANSWER,
} from './answers.ts'
import { closing, eventually, expectNothingUnhandled, inTime } from './eventually.ts'
import { messagesBody, optionsFor, type ProxyOptions } from './proxy.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

interface Setting {
  readonly gateway: Gateway
  readonly upstream: ScriptedUpstream
  readonly reports: readonly ExchangeReport[]
}

/** A gateway that uses nothing but what every runtime has. */
async function webGateway(script: Script, options: ProxyOptions = {}): Promise<Setting> {
  const upstream = await opened(scriptedUpstream(script))
  const reports: ExchangeReport[] = []
  const gateway = createGateway({
    onExchange: (report) => reports.push(report),
    ...optionsFor({ upstream: upstream.url, ...options }),
  })
  await opened(Promise.resolve(gateway))
  return { gateway, upstream, reports }
}

function request(fields: object = {}, init: RequestInit = {}): Request {
  return new Request('http://localhost/api/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: messagesBody(fields),
    ...init,
  })
}

const MOUNT = { prefix: '/api' }

test('a streamed answer', async () => {
  const { gateway, reports } = await webGateway((wire) => wire.write(WHOLE_ANSWER))
  const response = await gateway.fetch(request(), MOUNT)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await response.text()).toContain('event: message_stop')
  expect(reports[0]).toMatchObject({ outcome: 'answered', stream: true })
  await eventually(() => gateway.active === 0, 'nothing under way')
})

test('the size of a body that the framework has parsed is counted in bytes', async () => {
  const value: unknown = JSON.parse(messagesBody({ system: 'ü'.repeat(1000) }))
  const { gateway, reports } = await webGateway((wire) => wire.write(WHOLE_ANSWER), {
    routes: [
      { name: 'large', match: { minBytes: 2000 }, upstream: 'up' },
      { name: 'small', upstream: 'up' },
    ],
  })
  const response = await gateway.fetch(request(), { ...MOUNT, body: () => Promise.resolve({ value }) })
  await response.text()
  expect(reports[0]?.route).toBe('large')
})

test('a whole answer, and a connection that serves the next call', async () => {
  const { gateway, upstream } = await webGateway((wire) => wire.write(WHOLE_ANSWER))
  for (let call = 0; call < 3; call += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other, over the same connection
    const response = await gateway.fetch(request({ stream: false }), MOUNT)
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.json()).toMatchObject({ type: 'message', stop_reason: 'end_turn' })
    // oxlint-disable-next-line no-await-in-loop
    await eventually(() => gateway.active === 0, 'nothing under way')
  }
  expect(upstream.wires).toHaveLength(1)
})

test.each<[string, Script, number]>([
  ['an error status', (wire) => wire.write(jsonAnswer(403, { error: { message: 'no' } })), 403],
  ['a reset', (wire) => wire.reset(), 502],
  ['a reset after the headers', async (wire) => (await wire.write(CHUNKED_HEAD), wire.reset()), 502],
  ['html', (wire) => wire.end(`${CLOSING_HEAD}<html></html>`), 502],
  ['a redirect', (wire) => wire.write('HTTP/1.1 302 X\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n'), 502],
  ['204', (wire) => wire.write('HTTP/1.1 204 X\r\n\r\n'), 502],
  ['silence', () => {}, 504],
  ['silence after the headers', (wire) => wire.write(CHUNKED_HEAD), 504],
])('%s instead of an answer is an error status', async (_name, script, status) => {
  const { gateway } = await webGateway(script, { timeouts: { firstByte: 100 } })
  const response = await inTime(gateway.fetch(request(), MOUNT), 'an answer')
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ type: 'error' })
  await eventually(() => gateway.active === 0, 'nothing under way')
})

test('a refused connection is told in words', async () => {
  const { gateway } = await webGateway(() => {}, { upstream: 'http://127.0.0.1:1/v1' })
  const response = await gateway.fetch(request(), MOUNT)
  expect(response.status).toBe(502)
})

test('a stream that breaks ends with one error event', async () => {
  const { gateway } = await webGateway((wire) => wire.end(CHUNKED_HEAD + chunked(textEvent('Hello'))))
  let isBroken = false
  const binding = { ...MOUNT, broken: () => (isBroken = true) }
  const body = await (await gateway.fetch(request(), binding)).text()
  expect(body).toContain('"text":"Hello"')
  expect(body.match(/event: error/g)).toHaveLength(1)
  expect(isBroken).toBe(true)
})

test('an upstream that stays open after its finish is closed after the grace', async () => {
  const events = EVENTS.slice(0, EVENTS.indexOf(FINISH) + 1).join('')
  const { gateway, upstream } = await webGateway((wire) => wire.write(CLOSING_HEAD + events), {
    timeouts: { grace: 50 },
  })
  const response = await gateway.fetch(request(), MOUNT)
  expect(await inTime(response.text(), 'the end')).toContain('event: message_stop')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the leftover is closed')
})

test.each<[string, Script]>([
  ['before the headers', () => {}],
  ['before the first byte', (wire) => wire.write(CHUNKED_HEAD)],
])('a client that leaves %s takes the call along', async (_name, script) => {
  const { gateway, upstream, reports } = await webGateway(script)
  const client = new AbortController()
  const answer = gateway.fetch(request({}, { signal: client.signal }), MOUNT)
  await eventually(() => upstream.requests.length === 1, 'the call')
  client.abort()
  expect((await inTime(answer, 'an end')).status).toBe(499)
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
  await eventually(() => gateway.active === 0 && reports.length === 1, 'nothing under way')
  expect(reports[0]).toMatchObject({ outcome: 'aborted', status: 0 })
})

test.each(['abort', 'cancel'])(
  'a client that leaves in the middle by %s takes the call along',
  async (how) => {
    const { gateway, upstream, reports } = await webGateway((wire) =>
      wire.write(CHUNKED_HEAD + chunked(textEvent('Hello'))),
    )
    const client = new AbortController()
    const response = await gateway.fetch(request({}, { signal: client.signal }), MOUNT)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const more = reader.read()
    if (how === 'abort') {
      client.abort()
      await expect(inTime(more, 'an end')).rejects.toThrow('the client is gone')
    } else {
      await reader.cancel()
    }
    await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
    await eventually(() => gateway.active === 0, 'nothing under way')
    expect(reports[0]).toMatchObject({ outcome: 'aborted', status: 200 })
  },
)

test('a request that was aborted before it came causes no call', async () => {
  const { gateway, upstream, reports } = await webGateway(() => {})
  const response = await inTime(gateway.fetch(request({}, { signal: AbortSignal.abort() }), MOUNT), 'an end')
  expect(response.status).toBe(499)
  expect(reports[0]?.outcome).toBe('aborted')
  expect(upstream.wires).toHaveLength(0)
})

test('a body beyond the limit is refused, with and without a length', async () => {
  const { gateway, upstream } = await webGateway(() => {}, { limits: { body: 1000 } })
  const long = await gateway.fetch(request({ system: 'x'.repeat(2000) }), MOUNT)
  expect(long.status).toBe(413)
  const pieces = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(400)),
  })
  const endless = await gateway.fetch(request({}, { body: pieces, duplex: 'half' }), MOUNT)
  expect(endless.status).toBe(413)
  expect(await endless.json()).toMatchObject({ error: { type: 'request_too_large' } })
  expect(upstream.wires).toHaveLength(0)
})

test.each([204, 304, 529])('a passthrough brings back status %i', async (status) => {
  const upstream = await opened(
    scriptedUpstream((wire) => wire.write(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)),
  )
  const gateway = createGateway({
    upstreams: { up: { dialect: 'anthropic', url: upstream.url, profile: profiles.anthropic } },
    routes: [{ name: 'through', upstream: 'up', passthrough: true }],
  })
  const response = await gateway.fetch(request(), MOUNT)
  expect(response.status).toBe(status)
  expect(await response.text()).toBe('')
  await gateway.close()
})
