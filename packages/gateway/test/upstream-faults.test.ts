import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
import { chatUpstream, post, type Proxy, startProxy } from './proxy.ts'
import { type ScriptedUpstream, scriptedUpstream, type Wire } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const PING = 'event: ping\ndata: {"type":"ping"}\n\n'
const SHORT = { firstByte: 100, idle: 100 }

interface ErrorBody {
  readonly type: 'error'
  readonly error: { readonly type: string; readonly message: string }
}

async function errorOf(response: Response): Promise<ErrorBody['error']> {
  const body = (await response.json()) as ErrorBody
  expect(body.type).toBe('error')
  return body.error
}

/** A proxy whose upstream does the same with every request. */
async function proxyTo(
  script: (wire: Wire) => void | Promise<void>,
  options: Parameters<typeof startProxy>[0] = {},
): Promise<{ proxy: Proxy; upstream: ScriptedUpstream }> {
  const upstream = await opened(scriptedUpstream(script))
  return { upstream, proxy: await opened(startProxy({ upstream: upstream.url, ...options })) }
}

test('an upstream that hangs before its headers is given up with 504', async () => {
  const { proxy, upstream } = await proxyTo(() => {}, { timeouts: SHORT })
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(504)
  expect(await errorOf(response)).toEqual({
    type: 'timeout_error',
    message: 'upstream up: no answer in time',
  })
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the call is aborted')
  expect(proxy.gateway.active).toBe(0)
})

test('an upstream that hangs after its headers is given up with 504', async () => {
  const { proxy, upstream } = await proxyTo((wire) => wire.write(CHUNKED_HEAD), { timeouts: SHORT })
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(504)
  expect((await errorOf(response)).message).toBe('upstream up: silent for too long')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the call is aborted')
  expect(proxy.gateway.active).toBe(0)
})

test('an upstream that hangs in the middle ends the stream with one error event', async () => {
  const begin = CHUNKED_HEAD + chunked(textEvent('Hello'))
  const { proxy, upstream } = await proxyTo((wire) => wire.write(begin), { timeouts: SHORT })
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(200)
  const body = await inTime(response.text(), 'the end of the stream')
  expect(body).toContain('"text":"Hello"')
  expect(body.match(/event: error/g)).toHaveLength(1)
  expect(body).toContain('upstream up: silent for too long')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the call is aborted')
  expect(proxy.reports[0]).toMatchObject({ outcome: 'failed', status: 200, error: { kind: 'timeout_error' } })
})

test('a route may have more patience than the others', async () => {
  const begin = CHUNKED_HEAD + chunked(textEvent('Hm'))
  const script = async (wire: Wire): Promise<void> => {
    await wire.write(begin)
    await sleep(600)
    await wire.write(chunked(EVENTS.slice(-3).join('')))
  }
  const route = { name: 'patient', upstream: 'up', model: 'm', timeouts: { idle: 5000 } }
  const { proxy } = await proxyTo(script, { timeouts: SHORT, routes: [route] })
  expect(await (await inTime(post(proxy), 'an answer')).text()).toContain('event: message_stop')
  const { proxy: other } = await proxyTo(() => {}, {
    timeouts: { firstByte: 60_000 },
    routes: [{ ...route, timeouts: { firstByte: 100 } }],
  })
  expect((await inTime(post(other), 'an answer')).status).toBe(504)
})

test('an error status whose body never ends is told after the time for a first byte', async () => {
  const head = 'HTTP/1.1 401 No\r\ncontent-length: 100\r\n\r\n{"error":{"message":"wrong key"'
  const { proxy } = await proxyTo((wire) => wire.write(head), { timeouts: SHORT })
  expect((await inTime(post(proxy), 'an answer')).status).toBe(401)
})

test('a whole answer may take longer than the time between two reads, as long as there are reads', async () => {
  const { proxy } = await proxyTo(
    async (wire) => {
      await wire.write(CHUNKED_HEAD)
      for (const event of EVENTS) {
        // oxlint-disable-next-line no-await-in-loop -- a slow upstream
        await sleep(60)
        // oxlint-disable-next-line no-await-in-loop
        await wire.write(chunked(event))
      }
    },
    { timeouts: { firstByte: 400, idle: 400, grace: 10 } },
  )
  const response = await post(proxy, { stream: false })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ type: 'message', stop_reason: 'end_turn' })
})

test('pings go out between events while the upstream thinks, and not at each look at the clock', async () => {
  let silence = 0
  const { proxy } = await proxyTo(
    async (wire) => {
      await wire.write(CHUNKED_HEAD + chunked(textEvent('Hm').slice(0, 20)))
      await wire.write(chunked(textEvent('Hm').slice(20) + textEvent('so').slice(0, 9)))
      const begin = performance.now()
      await sleep(1300)
      silence = performance.now() - begin
      await wire.write(chunked(textEvent('so').slice(9) + EVENTS.slice(-3).join('')))
    },
    { timeouts: { keepAlive: 500 } },
  )
  const body = await (await post(proxy)).text()
  const pings = body.split(PING).length - 1
  expect(pings).toBeGreaterThanOrEqual(1)
  expect(pings).toBeLessThanOrEqual(Math.ceil(silence / 500))
  expect(body.replaceAll(PING, '')).toMatch(/^(event: \w+\ndata: \{.*\}\n\n)+$/)
  expect(body).toContain('event: message_stop')
})

test.each([
  ['html', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 14\r\n\r\n<html>hi</html>'],
  ['plain text', 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello'],
  ['nothing', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['an empty stream', `${CHUNKED_HEAD}0\r\n\r\n`],
  ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'],
  ['304', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
  ['gzip', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'],
  ['a bad chunk size', `${CHUNKED_HEAD}xyz\r\ndata: 1\r\n`],
  ['a length that is too long', 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\ndata: {}\n\n'],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: 1x\r\n\r\ndata: {}\n\n'],
  ['both framings', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ['only a beginning', 'HTTP/1.1 200'],
])('%s instead of an answer is an error status', async (_name, bytes) => {
  const { proxy } = await proxyTo((wire) => wire.end(bytes))
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(502)
  expect((await errorOf(response)).type).toBe('api_error')
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
})

test('a chunk size that is bad in the middle ends the stream with one error event', async () => {
  const bytes = `${CHUNKED_HEAD}${chunked(textEvent('Hello'))}zz\r\n${FINISH}`
  const { proxy } = await proxyTo((wire) => wire.write(bytes))
  const body = await (await post(proxy)).text()
  expect(body).toContain('"text":"Hello"')
  expect(body.match(/event: error/g)).toHaveLength(1)
  expect(body).toContain('what it sent is not HTTP')
})

test('a body that is longer than its length is an answer, and the rest of it is nobody’s', async () => {
  const events = EVENTS.join('')
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(events)}\r\n\r\n`
  const { proxy, upstream } = await proxyTo((wire) =>
    wire.write(`${head}${events}HTTP/1.1 200 OK\r\n\r\nevil`),
  )
  expect(await (await post(proxy)).text()).toContain('event: message_stop')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the connection is not used again')
  expect(await (await post(proxy)).text()).not.toContain('evil')
})

test('trailers behind the last chunk belong to nobody, and the connection is used again', async () => {
  const body = EVENTS.map(chunked).join('')
  const { proxy, upstream } = await proxyTo((wire) =>
    wire.write(`${CHUNKED_HEAD}${body}0\r\nx-checksum: evil\r\nset-cookie: a=b\r\n\r\n`),
  )
  for (let count = 0; count < 2; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const response = await post(proxy)
    // oxlint-disable-next-line no-await-in-loop
    const text = await response.text()
    expect(text).toContain('event: message_stop')
    expect(`${JSON.stringify([...response.headers])}${text}`).not.toMatch(/evil|cookie/)
  }
  expect(upstream.wires).toHaveLength(1)
})

test('early hints before the answer are passed over', async () => {
  const { proxy } = await proxyTo((wire) =>
    wire.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${WHOLE_ANSWER}`),
  )
  const response = await post(proxy)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('event: message_stop')
})

test.each([
  ['once', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['with headers', 'HTTP/1.1 100 Continue\r\nx-proxy: 1\r\n\r\n'],
  ['again and again', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5)],
  ['after early hints', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
])('a Continue that nobody has asked for is passed over: %s', async (_name, bytes) => {
  let calls = 0
  const { proxy, upstream } = await proxyTo(async (wire) => {
    calls += 1
    // The second time it comes in a read of its own, on the same connection.
    if (calls === 2) {
      await wire.write(bytes)
      await sleep(20)
      await wire.write(WHOLE_ANSWER)
    } else await wire.write(bytes + WHOLE_ANSWER)
  })
  for (let count = 0; count < 3; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const response = await post(proxy)
    expect(response.status).toBe(200)
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.text()).toContain('event: message_stop')
  }
  expect(upstream.wires).toHaveLength(1)
})

test('a Continue that nobody has asked for is passed over, wherever a read cuts it', async () => {
  const twice = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\nx: 1\r\n\r\n'
  const all = twice + WHOLE_ANSWER
  let calls = 0
  const { proxy } = await proxyTo(async (wire) => {
    const at = (calls += 1)
    await wire.write(all.slice(0, at))
    await sleep(2)
    await wire.write(all.slice(at))
  })
  for (let count = 0; count < twice.length + 'HTTP/1.1 200 OK'.length; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const response = await post(proxy)
    expect(response.status).toBe(200)
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.text()).toContain('event: message_stop')
  }
})

test('words of an answer that look like a Continue stay as they are', async () => {
  const words = 'HTTP/1.1 100 Continue'
  const { proxy } = await proxyTo(async (wire) => {
    const [begin, rest] = ['{"choices":[{"message":{"content":"', `${words}"},"finish_reason":"stop"}]}`]
    await wire.write(`HTTP/1.1 200 OK\r\ncontent-length: ${begin.length + rest.length}\r\n\r\n${begin}`)
    await sleep(20)
    await wire.write(rest)
  })
  expect(await (await post(proxy)).text()).toContain(words)
})

test('JSON in place of a stream is unfolded into one', async () => {
  const message = { role: 'assistant', content: 'Hello' }
  const whole = {
    id: 'c1',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  }
  const { proxy } = await proxyTo((wire) => wire.write(jsonAnswer(200, whole)))
  const body = await (await post(proxy)).text()
  expect(body).toContain('"text":"Hello"')
  expect(body).toContain('event: message_stop')
})

test('an error as the first event becomes a status of its own', async () => {
  const error = `data: ${JSON.stringify({ error: { message: 'slow down', code: 'rate_limit_exceeded' } })}\n\n`
  const { proxy } = await proxyTo((wire) => wire.write(CHUNKED_HEAD + chunked(error)))
  const response = await post(proxy)
  expect(response.status).toBe(429)
  expect(await errorOf(response)).toEqual({ type: 'rate_limit_error', message: 'slow down' })
})

test('a huge error body is read in part only', async () => {
  let isStopped = false
  let sent = 0
  const { proxy } = await proxyTo(async (wire) => {
    await wire.write('HTTP/1.1 500 Oops\r\ncontent-length: 41943040\r\n\r\n')
    for (; sent < 640 && !wire.socket.destroyed; sent += 1) {
      // oxlint-disable-next-line no-await-in-loop -- at the pace at which it is read
      await wire.write('x'.repeat(65_536))
    }
    isStopped = true
  })
  const response = await inTime(post(proxy), 'an answer')
  expect(response.status).toBe(500)
  expect((await response.text()).length).toBeLessThan(3000)
  await eventually(() => isStopped, 'the upstream is told to stop')
  expect(sent).toBeLessThan(640)
})

test('a refused connection and a name that does not exist are told in words', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as { port: number }
  await new Promise((resolve) => closed.close(resolve))
  const refused = await opened(startProxy({ upstream: `http://127.0.0.1:${port}` }))
  const answer = await post(refused)
  expect(answer.status).toBe(502)
  expect((await errorOf(answer)).message).toBe('upstream up: the connection was refused: is it running?')
  // A label this long is refused by the resolver itself: no question leaves the machine.
  const nameless = await opened(startProxy({ upstream: `http://${'a'.repeat(64)}.invalid` }))
  const other = await inTime(post(nameless), 'an answer')
  expect(other.status).toBe(502)
  expect((await errorOf(other)).message).toBe('upstream up: its host name was not found')
})

test('a connection that does not open in time is given up', async () => {
  // TLS needs two: this upstream says nothing at all.
  const { upstream, proxy } = await proxyTo(() => {}, { connections: { connectTimeout: 100 } })
  const secure = await opened(
    startProxy({ upstream: upstream.url.replace('http:', 'https:'), connections: { connectTimeout: 100 } }),
  )
  const response = await inTime(post(secure), 'an answer')
  expect(response.status).toBe(502)
  expect((await errorOf(response)).message).toBe('upstream up: it could not be reached in time')
  expect(proxy.gateway.active).toBe(0)
})

test('an upstream that stays open after its finish is closed after the grace, and the client does not wait', async () => {
  const events = EVENTS.slice(0, EVENTS.indexOf(FINISH) + 1).join('')
  const { proxy, upstream } = await proxyTo((wire) => wire.write(CLOSING_HEAD + events), {
    timeouts: { grace: 100 },
  })
  const body = await inTime(
    post(proxy).then((response) => response.text()),
    'the end of the stream',
  )
  expect(body).toContain('event: message_stop')
  await inTime(upstream.wires[0]?.closed as Promise<void>, 'the leftover is closed')
  expect(proxy.gateway.active).toBe(0)
  expect(proxy.reports[0]?.outcome).toBe('answered')
})

test('a gateway that closes tells those who still wait, and those who come later', async () => {
  const { proxy, upstream } = await proxyTo(async (wire) => {
    if (upstream.requests.length > 1) await wire.write(CHUNKED_HEAD + chunked(textEvent('Hello')))
  })
  const waiting = post(proxy)
  await eventually(() => upstream.requests.length === 1, 'the first call')
  const streaming = await post(proxy)
  await proxy.gateway.close()
  expect((await waiting).status).toBe(529)
  expect(await streaming.text()).toContain('the server is shutting down')
  expect((await post(proxy)).status).toBe(529)
  expect(proxy.gateway.active).toBe(0)
})

test('an upstream that is not configured is named', async () => {
  const upstreams = { other: chatUpstream('http://127.0.0.1:9') }
  await expect(proxyTo(() => {}, { upstreams })).rejects.toThrow(
    "routes.0.upstream: there is no upstream 'up'",
  )
})
