import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { profiles } from '@hydra/core'
import { createGateway, Secret } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { createInspector, type Inspector, type InspectorOptions } from '../src/index.ts'

/** The key of the upstream, which nobody may ever see. */
export const UPSTREAM_KEY = 'sk-upstream-canary-0123456789abcdef'

/** A gateway with an inspector over real sockets. */
export interface LiveServer {
  readonly url: string
  readonly inspector: Inspector
  /** Sends a request of a client and reads its whole answer. */
  ask(text: string, headers?: Readonly<Record<string, string>>): Promise<string>
  close(): Promise<void>
}

/** Starts a gateway in front of an upstream. */
export async function startLive(
  upstream: string,
  options: InspectorOptions & { readonly key?: string } = {},
): Promise<LiveServer> {
  const { key, ...rest } = options
  const inspector = createInspector({ ...rest, secrets: [UPSTREAM_KEY, ...(key === undefined ? [] : [key])] })
  const gateway = createGateway({
    upstreams: {
      up: { dialect: 'openai-chat', url: upstream, profile: profiles.generic, key: new Secret(UPSTREAM_KEY) },
    },
    routes: [
      { name: 'other', match: { models: ['other-*'] }, upstream: 'up', model: 'gpt-other' },
      { name: 'all', upstream: 'up', model: 'gpt-test' },
    ],
    transport: undiciTransport(),
    retries: { times: 1, pause: 10 },
    guard: { hosts: ['127.0.0.1', 'localhost'], ...(key !== undefined && { key: new Secret(key) }) },
    inspector,
  })
  const server = createServer((request, response) => {
    void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
  })
  await listening(server)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    inspector,
    async ask(text, headers = {}) {
      const answer = await fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': key ?? 'sk-client-canary-0123456789',
          ...headers,
        },
        body: JSON.stringify({
          model: 'claude-test',
          max_tokens: 100,
          stream: true,
          messages: [{ role: 'user', content: text }],
        }),
      })
      return answer.text()
    },
    async close() {
      await gateway.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function listening(server: Server): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
}
