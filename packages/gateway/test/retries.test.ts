import { expect, test } from 'vitest'
import {
  CHUNKED_HEAD,
  chunked,
  CLOSING_HEAD,
  EVENTS,
  jsonAnswer,
  textEvent,
  WHOLE_ANSWER,
} from './answers.ts'
import { closing, eventually, expectNothingUnhandled, inTime } from './eventually.ts'
import { chatUpstream, post, type Proxy, startProxy } from './proxy.ts'
import { rawClient } from './raw-client.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const RETRIES = { times: 2, pause: 1 }

async function proxyTo(script: Script): Promise<{ proxy: Proxy; upstream: ScriptedUpstream }> {
  const upstream = await opened(scriptedUpstream(script))
  return { upstream, proxy: await opened(startProxy({ upstream: upstream.url, retries: RETRIES })) }
}

/** Faults before the first byte to the client, each followed by a good answer. */
const FAULTS: Readonly<Record<string, Script>> = {
  'a reset before the headers': (wire) => wire.reset(),
  'a close before the headers': (wire) => wire.end(),
  'half a head': (wire) => wire.end('HTTP/1.1 200 OK\r\ncontent-'),
  'a reset after the headers': async (wire) => {
    await wire.write(CHUNKED_HEAD)
    wire.reset()
  },
  'a close after the headers': (wire) => wire.end(CLOSING_HEAD),
  'an empty first event': (wire) => wire.end(CLOSING_HEAD + (EVENTS[0] ?? '')),
  '500': (wire) => wire.write(jsonAnswer(500, { error: { message: 'oops' } })),
  '503': (wire) => wire.write(jsonAnswer(503, { error: { message: 'busy' } })),
  '429': (wire) => wire.write(jsonAnswer(429, { error: { message: 'slow' } }, ['retry-after-ms: 5'])),
  'an error as the first event': (wire) =>
    wire.end(`${CLOSING_HEAD}data: {"error":{"message":"busy","code":"server_is_overloaded"}}\n\n`),
  html: (wire) => wire.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>'),
}

test.each(Object.entries(FAULTS))('%s before the first byte is tried again', async (_name, fault) => {
  const { proxy, upstream } = await proxyTo((wire, request, index) =>
    index < 2 ? fault(wire, request, index) : wire.write(WHOLE_ANSWER),
  )
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('event: message_stop')
  expect(upstream.requests).toHaveLength(3)
  expect(new Set(upstream.requests.map(({ body }) => body)).size).toBe(1)
  expect(proxy.reports[0]).toMatchObject({ outcome: 'answered', retries: 2 })
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
})

test('after two retries the last failure is told', async () => {
  const { proxy, upstream } = await proxyTo((wire) =>
    wire.write(jsonAnswer(500, { error: { message: 'oops' } })),
  )
  const response = await post(proxy)
  expect(response.status).toBe(500)
  expect(await response.text()).toContain('oops')
  expect(upstream.requests).toHaveLength(3)
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', status: 500, retries: 2 })
})

test.each([400, 401, 403, 404, 413, 422])('status %i is not tried again', async (status) => {
  const { proxy, upstream } = await proxyTo((wire) =>
    wire.write(jsonAnswer(status, { error: { message: 'no' } })),
  )
  expect((await post(proxy)).status).toBe(status === 422 ? 400 : status)
  expect(upstream.requests).toHaveLength(1)
})

test('a wish to wait that is longer than the budget is handed to the client', async () => {
  const { proxy, upstream } = await proxyTo((wire) => wire.write(jsonAnswer(429, {}, ['retry-after: 61'])))
  const response = await post(proxy)
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('61')
  expect(upstream.requests).toHaveLength(1)
})

test('a wish to wait until a date is handed on in seconds', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString()
  const { proxy } = await proxyTo((wire) => wire.write(jsonAnswer(429, {}, [`retry-after: ${date}`])))
  const seconds = Number((await post(proxy)).headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(3500)
  expect(seconds).toBeLessThan(3700)
})

test('after the first byte nothing is tried again', async () => {
  const { proxy, upstream } = await proxyTo((wire) => wire.end(CHUNKED_HEAD + chunked(textEvent('Hello'))))
  expect(await (await post(proxy)).text()).toContain('event: error')
  expect(upstream.requests).toHaveLength(1)
})

test('a pooled connection that the upstream closes as we send is not surfaced', async () => {
  const { proxy, upstream } = await proxyTo(async (wire, _request, index) => {
    // Every second request meets a connection on which the last answer has just been given.
    if (index % 2 === 1) wire.reset()
    else await wire.write(WHOLE_ANSWER)
  })
  for (let call = 0; call < 20; call += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other, over the same connection
    const response = await post(proxy)
    expect(response.status).toBe(200)
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.text()).toContain('event: message_stop')
  }
  expect(upstream.requests.length).toBeGreaterThan(30)
})

async function withFallback(
  first: Script,
  options: Parameters<typeof startProxy>[0] = {},
): Promise<{ proxy: Proxy; primary: ScriptedUpstream; secondary: ScriptedUpstream }> {
  const primary = await opened(scriptedUpstream(first))
  const secondary = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const proxy = await opened(
    startProxy({
      upstreams: { one: chatUpstream(primary.url), two: chatUpstream(secondary.url) },
      routes: [{ name: 'r', upstream: 'one', model: 'a', fallbacks: [{ upstream: 'two', model: 'b' }] }],
      ...options,
    }),
  )
  return { proxy, primary, secondary }
}

const HANGING: Readonly<Record<string, Script>> = {
  'hangs before its headers': () => {},
  'hangs after its headers': (wire) => wire.write(CHUNKED_HEAD),
  'fails at once': (wire) => wire.write(jsonAnswer(500, {})),
  'is reset': (wire) => wire.reset(),
}

test.each(Object.entries(HANGING))('the fallback answers when the upstream %s', async (_name, script) => {
  const { proxy, secondary } = await withFallback(script, { timeouts: { firstByte: 100 } })
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('event: message_stop')
  expect(JSON.parse(secondary.requests[0]?.body ?? '')).toMatchObject({ model: 'b' })
  expect(proxy.reports[0]).toMatchObject({ outcome: 'answered', upstream: 'two', upstreamModel: 'b' })
})

test('a request that is the client’s own fault does not go to the fallback', async () => {
  const { proxy, secondary } = await withFallback((wire) =>
    wire.write(jsonAnswer(400, { error: { message: 'no' } })),
  )
  expect((await post(proxy)).status).toBe(400)
  expect(secondary.requests).toHaveLength(0)
})

test('an upstream that keeps failing is passed over, and probed after its rest', async () => {
  let isWell = false
  const { proxy, primary, secondary } = await withFallback(
    (wire) => wire.write(isWell ? WHOLE_ANSWER : jsonAnswer(500, {})),
    { breaker: { consecutive: 3, rest: 300 } },
  )
  const call = async (): Promise<void> => {
    const response = await post(proxy)
    expect(response.status).toBe(200)
    await response.text()
  }
  for (let count = 0; count < 6; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await call()
  }
  expect(primary.requests).toHaveLength(3)
  expect(secondary.requests).toHaveLength(6)
  isWell = true
  for (let tries = 0; primary.requests.length < 6 && tries < 500; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await call()
  }
  expect(primary.requests).toHaveLength(6)
})

test('an open breaker without a fallback answers 529 and says when to come back', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(jsonAnswer(500, {}))))
  const proxy = await opened(
    startProxy({
      upstreams: { up: chatUpstream(upstream.url, { breaker: true }) },
      breaker: { consecutive: 2 },
      retries: RETRIES,
    }),
  )
  expect((await post(proxy)).status).toBe(500)
  const response = await post(proxy)
  expect(response.status).toBe(529)
  expect(response.headers.get('retry-after')).toBe('30')
  expect(await response.text()).toContain('overloaded_error')
  expect(upstream.requests).toHaveLength(2)
})

test('a client that leaves says nothing about the upstream', async () => {
  const upstream = await opened(
    scriptedUpstream((wire, _request, index) => (index === 0 ? undefined : wire.write(WHOLE_ANSWER))),
  )
  const upstreams = { up: chatUpstream(upstream.url, { breaker: true }) }
  const proxy = await opened(startProxy({ upstreams, breaker: { consecutive: 1 } }))
  const client = await rawClient(proxy.port)
  await eventually(() => upstream.requests.length === 1, 'the call')
  client.leave('RST')
  await eventually(() => proxy.reports.length === 1, 'the end of the exchange')
  expect((await post(proxy)).status).toBe(200)
})

test('an upstream without a fallback has no breaker unless it is asked for', async () => {
  const { proxy, upstream } = await proxyTo((wire) => wire.write(jsonAnswer(500, {})))
  for (let count = 0; count < 4; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await post(proxy)
  }
  expect(upstream.requests).toHaveLength(12)
})
