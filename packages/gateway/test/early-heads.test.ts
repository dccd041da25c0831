import { type Dialect, registry } from '@hydra/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHUNKED_HEAD, jsonAnswer, WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, messagesBody, type Proxy, type ProxyOptions, startProxy } from './proxy.ts'
import { rawClient } from './raw-client.ts'
import { type Script, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const HEAD_WITHIN = 100

/** Messages, spoken by clients that do not wait for a head. */
function impatientDialect(): Dialect {
  const client = registry.client('anthropic')
  return {
    name: 'impatient',
    client: {
      ...client,
      endpoints: [{ method: 'POST', path: '/impatient', purpose: 'generate' }],
      decodeRequest(call) {
        const { reply, ...decoded } = client.decodeRequest(call)
        const stream = reply.stream && { ...reply.stream, headWithin: HEAD_WITHIN }
        return { ...decoded, reply: { ...reply, stream } }
      },
    },
  }
}

let forget = (): void => {}
beforeAll(() => {
  forget = registry.register(impatientDialect())
})
afterAll(() => forget())

async function proxyBefore(script: Script, options: ProxyOptions = {}): Promise<Proxy> {
  const upstream = await opened(scriptedUpstream(script))
  return opened(startProxy({ upstream: upstream.url, timeouts: { keepAlive: 300 }, ...options }))
}

function ask({ url }: Proxy, fields: object = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/impatient`, { method: 'POST', headers, body: messagesBody(fields) })
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

test('the head and signs of life come before an upstream that takes its time, and then its answer', async () => {
  const { promise: hasHead, resolve: headCame } = Promise.withResolvers<void>()
  const proxy = await proxyBefore(async (wire) => {
    // An upstream that waits for the client's head waits for ever where there is none before its answer.
    await hasHead
    await later(1500)
    await wire.write(WHOLE_ANSWER)
  })
  const response = await ask(proxy)
  headCame()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const text = await response.text()
  expect(text).toMatch(/^(?:event: ping\ndata: \{"type":"ping"\}\n\n){2,}event: message_start\n/)
  expect(text).toMatch(/event: message_stop\n.*\n\n$/)
  expect(proxy.reports[0]).toMatchObject({ outcome: 'answered', status: 200 })
  expect(proxy.gateway.active).toBe(0)
})

test('they come as well while an upstream has answered and says nothing', async () => {
  const proxy = await proxyBefore(async (wire) => {
    await wire.write(CHUNKED_HEAD)
    await later(1200)
    await wire.write(WHOLE_ANSWER.slice(CHUNKED_HEAD.length))
  })
  const text = await (await ask(proxy)).text()
  expect(text).toMatch(/^(?:event: ping\ndata: \{"type":"ping"\}\n\n){2,}event: message_start\n/)
  expect(text).toMatch(/event: message_stop\n.*\n\n$/)
})

test('an upstream that is quick sends the head with its first event', async () => {
  const proxy = await proxyBefore((wire) => wire.write(WHOLE_ANSWER))
  const response = await ask(proxy)
  expect(response.headers.get('x-hydra-notes')).toBe('0')
  expect(await response.text()).toMatch(/^event: message_start\n/)
})

test('a failure after the head is told inside of the stream, which does not look whole', async () => {
  const proxy = await proxyBefore(async (wire) => {
    await later(700)
    await wire.write(jsonAnswer(401, { error: { message: 'wrong key' } }))
  })
  const response = await ask(proxy)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toMatch(/event: error\ndata: .*"authentication_error".*\n\n$/)
  expect(text).not.toContain('message_stop')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', status: 200 })
})

test('a fallback may still answer after the head', async () => {
  const first = await opened(
    scriptedUpstream(async (wire) => {
      await later(700)
      await wire.write(jsonAnswer(503, { error: { message: 'busy' } }))
    }),
  )
  const second = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const proxy = await opened(
    startProxy({
      upstreams: { first: chatUpstream(first.url), second: chatUpstream(second.url) },
      routes: [
        { name: 'all', upstream: 'first', model: 'm', fallbacks: [{ upstream: 'second', model: 'm' }] },
      ],
    }),
  )
  const text = await (await ask(proxy)).text()
  expect(text.match(/event: message_start/g)).toHaveLength(1)
  expect(text).toMatch(/event: message_stop\n.*\n\n$/)
  expect(proxy.reports[0]).toMatchObject({ outcome: 'answered', upstream: 'second' })
})

test('who wants the answer whole gets no early head', async () => {
  const proxy = await proxyBefore(async (wire) => {
    await later(500)
    await wire.write(jsonAnswer(401, { error: { message: 'wrong key' } }))
  })
  expect((await ask(proxy, { stream: false })).status).toBe(401)
})

test('a gateway that closes ends a stream of which only the head is out', async () => {
  const proxy = await proxyBefore(() => {})
  const response = await ask(proxy)
  await proxy.gateway.close()
  expect(await response.text()).toContain('the server is shutting down')
})

test('a client that leaves after an early head ends the call', async () => {
  const proxy = await proxyBefore(() => {})
  const client = await rawClient(proxy.port, { path: '/impatient' })
  await eventually(() => client.received().includes('event: ping'), 'a sign of life')
  client.leave('RST')
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'aborted' })
  expect(proxy.gateway.active).toBe(0)
})
