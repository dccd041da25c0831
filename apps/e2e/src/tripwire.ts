import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A forward proxy that leads nowhere, and remembers who wanted to go through it. */
export interface Tripwire {
  /** The environment that sends everything but the loopback interface through it. */
  readonly env: Readonly<Record<string, string>>
  /** The addresses that were asked for since this was last called. */
  readonly touched: () => readonly string[]
  readonly close: () => void
}

/** Starts a tripwire: whatever tries to leave this machine is refused and told of. */
export async function startTripwire(): Promise<Tripwire> {
  const touched: string[] = []
  const server = createServer((request, response) => {
    touched.push(request.url ?? '')
    response.writeHead(403).end()
  })
  server.on('connect', ({ url = '' }, socket) => {
    touched.push(url)
    // Some hang up before they are answered.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const loopback = '127.0.0.1,localhost'
  return {
    env: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      NO_PROXY: loopback,
      no_proxy: loopback,
    },
    touched: () => touched.splice(0),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
