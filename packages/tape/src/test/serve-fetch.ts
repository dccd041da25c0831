import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A loopback server that answers by a function like `fetch`. */
export interface ServedFetch {
  /** The base URL in place of the one that requests are for. */
  readonly url: string
  stop(): Promise<void>
}

/** Headers of one connection only. */
const OF_THE_CONNECTION = ['connection', 'host', 'keep-alive', 'transfer-encoding', 'content-length']

/** Serves what a function answers to requests for another address, to programs that can be given a base URL only. */
export async function serveFetch(upstream: string, answer: typeof fetch): Promise<ServedFetch> {
  const base = new URL(upstream)
  const server = createServer((request, response) => {
    pass(request, response, { base, answer }).catch(() => response.socket?.resetAndDestroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base.pathname.replace(/\/$/, '')}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface Passing {
  readonly base: URL
  readonly answer: typeof fetch
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { base, answer }: Passing,
): Promise<void> {
  const body = Buffer.concat(await request.toArray())
  const left = new AbortController()
  response.on('close', () => left.abort())
  const answered = await answer(new URL(request.url ?? '/', base.origin), {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    signal: left.signal,
    ...(body.length > 0 && { body }),
  })
  const headers = Object.fromEntries(answered.headers)
  for (const name of OF_THE_CONNECTION) delete headers[name]
  response.writeHead(answered.status, headers)
  response.flushHeaders()
  if (answered.body === null) response.end()
  else await pipeline(Readable.fromWeb(answered.body as never), response)
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
