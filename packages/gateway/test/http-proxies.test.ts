import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { post, startProxy } from './proxy.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

interface HttpProxy {
  readonly url: string
  /** What it was asked for: method and target. */
  readonly asked: readonly string[]
  /** The first bytes that went through a tunnel. */
  readonly tunnelled: () => string
  close(): Promise<void>
}

/** An HTTP proxy as companies have them; whatever it is asked for, it knows one upstream only. */
async function httpProxy(upstream: string): Promise<HttpProxy> {
  const port = Number(new URL(upstream).port)
  const asked: string[] = []
  let tunnelled = ''
  const server = createServer((request) => {
    asked.push(`${request.method} ${request.url}`)
    const wire = connect(port, '127.0.0.1')
    const { pathname } = new URL(request.url ?? '')
    wire.write(`POST ${pathname} HTTP/1.1\r\ncontent-length: ${request.headers['content-length']}\r\n\r\n`)
    request.pipe(wire, { end: false })
    wire.pipe(request.socket)
    request.socket.on('close', () => wire.destroy())
  })
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`)
    socket.on('error', () => {})
    if (request.headers['proxy-authorization'] === undefined) {
      socket.end('HTTP/1.1 407 Who are you?\r\n\r\n')
      return
    }
    socket.write('HTTP/1.1 200 Connected\r\n\r\n')
    socket.on('data', (bytes: Buffer) => {
      tunnelled += bytes.toString('latin1')
      socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    tunnelled: () => tunnelled,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('an upstream elsewhere is called through the HTTP proxy that the environment names', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const company = await opened(httpProxy(upstream.url))
  const proxy = await opened(
    startProxy({
      upstream: 'http://models.test/v1',
      connections: { environment: { HTTP_PROXY: company.url } },
    }),
  )
  expect(await (await post(proxy)).text()).toContain('event: message_stop')
  expect(company.asked).toEqual(['POST http://models.test/v1/chat/completions'])
  expect(upstream.requests[0]?.body).toContain('"model":"m"')
})

test('an encrypted upstream is called through a tunnel, of which the HTTP proxy sees nothing', async () => {
  const company = await opened(httpProxy('http://127.0.0.1:9'))
  const proxy = await opened(
    startProxy({
      upstream: 'https://models.test/v1',
      connections: { environment: { https_proxy: company.url.replace('//', '//user:password@') } },
    }),
  )
  expect((await post(proxy)).status).toBe(502)
  expect(company.asked).toEqual(['CONNECT models.test:443'])
  // The beginning of TLS, which names the host.
  expect(company.tunnelled().slice(0, 2)).toBe('\u0016\u0003')
  expect(company.tunnelled()).toContain('models.test')
})

test('an HTTP proxy that refuses is a failure of the call, and says so', async () => {
  const company = await opened(httpProxy('http://127.0.0.1:9'))
  const proxy = await opened(
    startProxy({
      upstream: 'https://models.test/v1',
      connections: { environment: { HTTPS_PROXY: company.url } },
    }),
  )
  const response = await post(proxy)
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('upstream up: the HTTP proxy on the way refused it')
})

test.each<[string, string, Record<string, string>]>([
  ['runs on this machine', '127.0.0.1', {}],
  ['runs on this machine, by its name', 'localhost', {}],
  ['is excepted', 'models.localhost', { NO_PROXY: 'other.test,.models.localhost' }],
])('an upstream that %s is called straight', async (_name, host, variables) => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const company = await opened(httpProxy(upstream.url))
  const proxy = await opened(
    startProxy({
      upstream: upstream.url.replace('127.0.0.1', host),
      connections: { environment: { HTTP_PROXY: company.url, ...variables } },
    }),
  )
  await (await post(proxy)).text()
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(company.asked).toEqual([])
})
