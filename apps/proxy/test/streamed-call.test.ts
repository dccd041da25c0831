import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request, type Server, type ServerResponse } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { openaiChat, profiles } from '@hydra/core'
import { createGateway, type Gateway, Secret } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { expect, onTestFinished, test, vi } from 'vitest'

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function gatewayTo(url: string): Gateway {
  const key = new Secret('any')
  return createGateway({
    upstreams: { up: { dialect: openaiChat.name, url: `${url}/v1`, key, profile: profiles.generic } },
    routes: [{ name: 'all', upstream: 'up', model: 'm' }],
    transport: undiciTransport(),
  })
}

function chunk(delta: object): string {
  return `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta }] })}\n\n`
}

function piece(words: string): string {
  return chunk({ tool_calls: [{ index: 0, function: { arguments: words } }] })
}

const BEGIN = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] })
const ASKED = {
  model: 'claude-x',
  max_tokens: 100,
  stream: true,
  tools: [{ name: 'f', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'Hello' }],
}

/** The files below `packages` of which something runs while an action goes on. */
async function filesRunBy(act: () => Promise<void>): Promise<readonly string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  // What is counted so far does not matter.
  await session.post('Profiler.takePreciseCoverage')
  await act()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const run = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
  return run.flatMap(({ url }) => /\/packages\/(.+\.ts)/.exec(url)?.[1] ?? [])
}

test('the files that ARCHITECTURE.md lists run for a piece of a call, from socket to socket', async () => {
  const document = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, rest = ''] = document.split('## A streamed tool call, from socket to socket')
  const [section = ''] = rest.split('\n## ')
  const listed = [...section.matchAll(/^\| `([\w/.-]+\.ts)`/gm)].map(([, file = '']) => file)

  const calls: ServerResponse[] = []
  const upstream = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(BEGIN)
    calls.push(response)
  })
  const gateway = gatewayTo(await listen(upstream))
  const url = await listen(
    createServer((incoming, response) => {
      const binding = { url: incoming.url ?? '/', native: incoming }
      void gateway.handle(nodeExchange(incoming, response, binding))
    }),
  )
  let received = ''
  const asking = request(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  asking.on('response', (answer) => answer.on('data', (bytes: Buffer) => (received += bytes.toString())))
  asking.end(JSON.stringify(ASKED))
  await vi.waitFor(() => expect(received).toContain('content_block_start'))

  const send = async (words: string): Promise<void> => {
    calls[0]?.write(piece(words))
    await vi.waitFor(() => expect(received).toContain(JSON.stringify(words).slice(1, -1)))
  }
  const files = await filesRunBy(() => send('{"path":'))
  expect(listed.filter((file) => !files.includes(file))).toEqual([])
  await gateway.close()
})
