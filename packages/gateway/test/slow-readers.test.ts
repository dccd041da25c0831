import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CHUNKED_HEAD, chunked, EVENTS, LAST_CHUNK, textEvent } from './answers.ts'
import { closing, eventually, expectNothingUnhandled, inTime } from './eventually.ts'
import { messagesBody, optionsFor, type Proxy, startProxy } from './proxy.ts'
import { createGateway, type ExchangeReport } from '../src/index.ts'
import { type RawClient, rawClient } from './raw-client.ts'
import { type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const MEGABYTE = 1024 * 1024
const GROWTH = 30 * MEGABYTE
const PIECE = chunked(textEvent('x'.repeat(1000)).repeat(32))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memoryInUse(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** An upstream that sends so many bytes as fast as it is let. */
function floodingUpstream(total: number): Promise<ScriptedUpstream & { sent: () => number }> {
  let sent = 0
  const upstream = scriptedUpstream(async (wire) => {
    await wire.write(CHUNKED_HEAD)
    while (sent < total && !wire.socket.destroyed) {
      // oxlint-disable-next-line no-await-in-loop -- at the pace at which it is read
      await wire.write(PIECE)
      sent += PIECE.length
    }
    wire.end(EVENTS.slice(-3).map(chunked).join('') + LAST_CHUNK)
  })
  return upstream.then((started) => ({ ...started, sent: () => sent }))
}

/** Waits until the upstream is not read from any more. */
async function standstill(sent: () => number): Promise<void> {
  let last = -1
  let unchanged = 0
  while (unchanged < 10) {
    unchanged = sent() === last && last > 0 ? unchanged + 1 : 0
    last = sent()
    // oxlint-disable-next-line no-await-in-loop
    await sleep(20)
  }
}

test('a client that does not read pauses the upstream, and memory stays flat', async () => {
  const upstream = await opened(floodingUpstream(50 * MEGABYTE))
  const proxy = await opened(startProxy({ upstream: upstream.url, timeouts: { idle: 300, firstByte: 5000 } }))
  const before = memoryInUse()
  const client = await rawClient(proxy.port)
  client.socket.removeAllListeners('data')
  client.socket.pause()
  await standstill(upstream.sent)
  expect(upstream.sent()).toBeLessThan(25 * MEGABYTE)
  expect(memoryInUse() - before).toBeLessThan(GROWTH)
  // Longer than the upstream may be silent: waiting for the client is not the upstream's silence.
  await sleep(700)
  let received = 0
  let tail = ''
  client.socket.on('data', (bytes) => {
    received += bytes.length
    tail = (tail + bytes.toString('latin1')).slice(-200)
  })
  client.socket.resume()
  await eventually(() => tail.includes('message_stop'), 'the end of the stream')
  expect(received).toBeGreaterThan(50 * MEGABYTE)
  await eventually(() => memoryInUse() - before < GROWTH, 'memory that is let go of')
  expect(proxy.reports[0]?.outcome).toBe('answered')
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
  client.leave('RST')
})

test('a client that does not read and then leaves frees the upstream', async () => {
  const upstream = await opened(floodingUpstream(25 * MEGABYTE))
  const proxy = await opened(startProxy({ upstream: upstream.url }))
  const client = await rawClient(proxy.port)
  client.socket.pause()
  await standstill(upstream.sent)
  client.leave('RST')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
})

test('a passthrough waits for its reader as well', async () => {
  const upstream = await opened(floodingUpstream(25 * MEGABYTE))
  const proxy = await opened(
    startProxy({
      upstream: upstream.url,
      routes: [{ name: 'through', upstream: 'up', passthrough: true }],
      timeouts: { idle: 300 },
    }),
  )
  const before = memoryInUse()
  const response = await fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: messagesBody(),
  })
  await standstill(upstream.sent)
  await sleep(700)
  expect(upstream.sent()).toBeLessThan(20 * MEGABYTE)
  expect(memoryInUse() - before).toBeLessThan(GROWTH)
  let received = 0
  for await (const piece of response.body ?? []) received += piece.length
  expect(received).toBeGreaterThan(24 * MEGABYTE)
  expect(proxy.reports[0]?.outcome).toBe('answered')
})

test('a reader of a web-standard response holds the upstream back', async () => {
  const upstream = await opened(floodingUpstream(25 * MEGABYTE))
  const gateway = createGateway(
    optionsFor({ upstream: upstream.url, timeouts: { idle: 300, firstByte: 5000 } }),
  )
  const before = memoryInUse()
  const response = await gateway.fetch(
    new Request('http://localhost/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'm',
        max_tokens: 9,
        stream: true,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    }),
  )
  await standstill(upstream.sent)
  await sleep(700)
  expect(upstream.sent()).toBeLessThan(20 * MEGABYTE)
  expect(memoryInUse() - before).toBeLessThan(GROWTH)
  let received = 0
  for await (const piece of response.body ?? []) received += piece.length
  expect(received).toBeGreaterThan(25 * MEGABYTE)
  await eventually(() => gateway.active === 0, 'nothing under way')
  await gateway.close()
})

/** A client that reads the beginning of its answer and then nothing more. */
async function stuckClient(proxy: Proxy, fields?: object): Promise<RawClient> {
  const client = await rawClient(proxy.port, { fields: { ...fields } })
  client.socket.removeAllListeners('data')
  client.socket.pause()
  return client
}

test.each([true, false])(
  'a client that takes nothing any more is given up, and so is the upstream (stream: %s)',
  async (stream) => {
    const upstream = await opened(floodingUpstream(25 * MEGABYTE))
    const proxy = await opened(startProxy({ upstream: upstream.url, timeouts: { client: 300 } }))
    const client = await stuckClient(proxy, { stream })
    // The answer is longer than what the kernel takes for a client that does not read.
    await eventually(() => client.socket.destroyed || proxy.reports.length > 0, 'the end of the exchange')
    await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
    await eventually(() => proxy.gateway.active === 0, 'nothing under way')
    await eventually(() => proxy.connections() === 0, 'no connection')
    if (stream) {
      const error = { kind: 'timeout_error', message: 'the client took nothing of its answer for 300 ms' }
      expect(proxy.reports[0]).toMatchObject({ outcome: 'aborted', error })
    }
    client.leave('RST')
  },
)

test('a client that takes nothing of the error that ends its stream is given up as well', async () => {
  const upstream = await opened(floodingUpstream(25 * MEGABYTE))
  const proxy = await opened(startProxy({ upstream: upstream.url, timeouts: { client: 600 } }))
  const client = await stuckClient(proxy)
  await standstill(upstream.sent)
  upstream.wires[0]?.reset()
  await eventually(() => proxy.connections() === 0, 'no connection')
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
  client.leave('RST')
})

test('a client that reads slowly is not given up', async () => {
  const upstream = await opened(floodingUpstream(12 * MEGABYTE))
  const proxy = await opened(startProxy({ upstream: upstream.url, timeouts: { client: 300 } }))
  const client = await stuckClient(proxy)
  let received = 0
  client.socket.on('data', (bytes) => {
    received += bytes.length
    client.socket.pause()
    setTimeout(() => client.socket.resume(), 5)
  })
  client.socket.resume()
  await eventually(() => proxy.reports.length > 0, 'the end of the exchange')
  expect(proxy.reports[0]?.outcome).toBe('answered')
  expect(received).toBeGreaterThan(MEGABYTE)
  client.leave('RST')
})

test('a reader of a web-standard response that stops is given up', async () => {
  const upstream = await opened(floodingUpstream(25 * MEGABYTE))
  const reports: ExchangeReport[] = []
  const gateway = createGateway({
    ...optionsFor({ upstream: upstream.url, timeouts: { client: 300 } }),
    onExchange: (report) => reports.push(report),
  })
  const response = await gateway.fetch(
    new Request('http://localhost/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: messagesBody(),
    }),
  )
  await eventually(() => gateway.active === 0, 'nothing under way')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the end of the call')
  expect(reports[0]).toMatchObject({ outcome: 'aborted', error: { kind: 'timeout_error' } })
  await expect(response.text()).rejects.toThrow('the client is gone')
  await gateway.close()
})
