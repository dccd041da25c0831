import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { GatewayObserver, RequestInfo } from '../src/index.ts'
import { CHUNKED_HEAD, chunked, textEvent } from './answers.ts'
import { closing, eventually, expectNothingUnhandled, inTime } from './eventually.ts'
import { startProxy } from './proxy.ts'
import { type Leaving, rawClient } from './raw-client.ts'
import { type Script, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

interface Phase {
  readonly name: string
  readonly script: Script
  /** What the client has seen when it leaves. */
  readonly seen: string
}

const PHASES: readonly Phase[] = [
  { name: 'before the headers', script: () => {}, seen: '' },
  { name: 'before the first byte', script: (wire) => wire.write(CHUNKED_HEAD), seen: '' },
  {
    name: 'in the middle of an event',
    script: (wire) => wire.write(CHUNKED_HEAD + chunked(textEvent('Hello').slice(0, 10))),
    seen: '',
  },
  {
    name: 'in the middle of the stream',
    script: (wire) => wire.write(CHUNKED_HEAD + chunked(textEvent('Hello'))),
    seen: 'Hello',
  },
  {
    name: 'while an error is read',
    script: (wire) => wire.write('HTTP/1.1 500 Oops\r\ncontent-length: 10\r\n\r\nabc'),
    seen: '',
  },
]
const LEAVINGS: readonly Leaving[] = ['RST', 'FIN']

for (const { name, script, seen } of PHASES) {
  for (const how of LEAVINGS) {
    test(`a client that leaves ${name} with ${how} takes the upstream call along`, async () => {
      const upstream = await opened(scriptedUpstream(script))
      const proxy = await opened(startProxy({ upstream: upstream.url, retries: { times: 2, pause: 1 } }))
      const client = await rawClient(proxy.port)
      await eventually(() => upstream.requests.length === 1, 'the call')
      await eventually(() => client.received().includes(seen), 'the beginning of the answer')
      client.leave(how)
      await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
      await eventually(() => proxy.gateway.active === 0 && proxy.reports.length === 1, 'nothing under way')
      expect(proxy.reports[0]).toMatchObject({ outcome: 'aborted', status: seen === '' ? 0 : 200 })
      expect(upstream.requests).toHaveLength(1)
    })
  }
}

test('nobody is told of another try when it was the client that left', async () => {
  const upstream = await opened(scriptedUpstream(() => {}))
  const pauses: (number | undefined)[] = []
  const observer: GatewayObserver = {
    begin: () => ({ failed: ({ pause }) => void pauses.push(pause), done: () => {} }),
  }
  const retries = { times: 2, pause: 1 }
  const proxy = await opened(startProxy({ upstream: upstream.url, retries, observers: [observer] }))
  const client = await rawClient(proxy.port)
  await eventually(() => upstream.requests.length === 1, 'the call')
  client.leave('FIN')
  await eventually(() => proxy.gateway.active === 0 && proxy.reports.length === 1, 'nothing under way')
  expect(pauses.filter((pause) => pause !== undefined)).toEqual([])
})

for (const how of LEAVINGS) {
  test(`a client that leaves before its request is complete with ${how} causes no call`, async () => {
    const upstream = await opened(scriptedUpstream(() => {}))
    const proxy = await opened(startProxy({ upstream: upstream.url }))
    const client = await rawClient(proxy.port, { bytes: 130 })
    await eventually(() => proxy.gateway.active === 1, 'the request')
    client.leave(how)
    await eventually(() => proxy.gateway.active === 0 && proxy.reports.length === 1, 'nothing under way')
    expect(proxy.reports[0]?.outcome).not.toBe('answered')
    expect(upstream.wires).toHaveLength(0)
  })

  test(`a client that leaves while the connection opens with ${how} is not waited for`, async () => {
    // TLS needs two: this upstream says nothing at all.
    const upstream = await opened(scriptedUpstream(() => {}))
    const proxy = await opened(startProxy({ upstream: upstream.url.replace('http:', 'https:') }))
    const client = await rawClient(proxy.port)
    await eventually(() => upstream.wires.length === 1, 'the connection')
    client.leave(how)
    await eventually(() => proxy.gateway.active === 0 && proxy.reports.length === 1, 'nothing under way')
    expect(proxy.reports[0]?.outcome).toBe('aborted')
  })

  test.each(['/v1/messages', '/v1/messages/count_tokens'])(
    `a client that leaves during the authorization with ${how} is done with: %s`,
    async (path) => {
      const upstream = await opened(scriptedUpstream(() => {}))
      let isAsked = false
      const authorize = async ({ native }: RequestInfo<unknown>): Promise<true> => {
        isAsked = true
        await once(native as IncomingMessage, 'close')
        return true
      }
      const proxy = await opened(startProxy({ upstream: upstream.url, authorize }))
      const client = await rawClient(proxy.port, { path })
      await eventually(() => isAsked, 'the authorization')
      client.leave(how)
      await eventually(() => proxy.reports.length === 1, 'the end of the exchange')
      expect(proxy.gateway.active).toBe(0)
      expect(upstream.wires).toHaveLength(0)
    },
  )

  test(`a client that leaves between two tries with ${how} ends them`, async () => {
    const upstream = await opened(
      scriptedUpstream((wire) =>
        wire.write('HTTP/1.1 503 Busy\r\nretry-after: 30\r\ncontent-length: 0\r\n\r\n'),
      ),
    )
    const proxy = await opened(startProxy({ upstream: upstream.url, retries: { times: 2 } }))
    const client = await rawClient(proxy.port)
    await eventually(() => upstream.requests.length === 1, 'the call')
    client.leave(how)
    await eventually(() => proxy.gateway.active === 0 && proxy.reports.length === 1, 'nothing under way')
    expect(proxy.reports[0]?.outcome).toBe('aborted')
    expect(upstream.requests).toHaveLength(1)
  })
}
