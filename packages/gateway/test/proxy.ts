import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { profiles } from '@hydra/core'
import {
  createGateway,
  type ExchangeReport,
  type Gateway,
  type GatewayOptions,
  type Upstream,
} from '../src/index.ts'
import { nodeExchange, undiciTransport, type UndiciTransportOptions } from '../src/node/index.ts'

/** A gateway behind a real server. */
export interface Proxy {
  readonly url: string
  readonly port: number
  readonly gateway: Gateway
  readonly reports: readonly ExchangeReport[]
  /** How many connections of clients are open. */
  connections(): number
  close(): Promise<void>
}

/** What the tests change of a gateway: by default one route to one upstream, and no second try. */
export interface ProxyOptions extends Partial<GatewayOptions> {
  readonly upstream?: string
  readonly connections?: UndiciTransportOptions
}

/** The options of a gateway with one route, without retries, whose ids are always the same. */
export function optionsFor({ upstream = 'http://127.0.0.1:9/v1', ...options }: ProxyOptions): GatewayOptions {
  return {
    upstreams: { up: chatUpstream(upstream) },
    routes: [{ name: 'all', upstream: 'up', model: 'm' }],
    retries: { times: 0 },
    newId: () => 'id',
    ...options,
  }
}

/** An upstream that speaks OpenAI Chat. */
export function chatUpstream(url: string, rest: Partial<Upstream> = {}): Upstream {
  return { dialect: 'openai-chat', url, profile: profiles.generic, ...rest }
}

/** Starts a gateway on the loopback interface. */
export async function startProxy({ connections, ...options }: ProxyOptions): Promise<Proxy> {
  const reports: ExchangeReport[] = []
  const gateway = createGateway({
    transport: undiciTransport(connections),
    onExchange: (report) => reports.push(report),
    ...optionsFor(options),
  })
  const server = createServer((request, response) => {
    void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    gateway,
    reports,
    connections: () => sockets.size,
    async close() {
      await gateway.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The body of a small request. */
export function messagesBody(fields: object = {}): string {
  return JSON.stringify({
    model: 'claude-x',
    max_tokens: 100,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
    ...fields,
  })
}

/** Sends a small request the usual way. */
export function post(proxy: Pick<Proxy, 'url'>, fields?: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${proxy.url}/v1/messages`, {
    method: 'POST',
    body: messagesBody(fields),
    ...init,
    headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
  })
}
