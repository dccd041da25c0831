import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createGateway } from '../src/index.ts'
import { nodeExchange, undiciTransport } from '../src/node/index.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, messagesBody, optionsFor } from './proxy.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
const CHUNK = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n'
const MESSAGE = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
}
const BEGINNING = [
  { type: 'message_start', message: MESSAGE },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
]
const EVENTS = BEGINNING.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

/** A server with a gateway that lets go of the body of each request, and tells whether it is still there. */
async function watchingServer(upstream: string, dialect: 'openai-chat' | 'anthropic') {
  const options = optionsFor({ upstreams: { up: chatUpstream(upstream, { dialect }) } })
  const gateway = createGateway({ ...options, transport: undiciTransport({ environment: {} }) })
  let body: WeakRef<object> | undefined
  const server = createServer((request, response) => {
    const exchange = nodeExchange(request, response, { url: request.url ?? '/', native: request })
    const readBody: typeof exchange.readBody = async (limit) => {
      const read = await exchange.readBody(limit)
      body = new WeakRef('bytes' in read ? read.bytes : read)
      return read
    }
    void gateway.handle({ ...exchange, readBody })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isHeld: () => body?.deref() !== undefined,
    async close() {
      await gateway.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

test.each([
  ['translated', 'openai-chat', CHUNK],
  ['relayed', 'anthropic', EVENTS],
] as const)(
  'an answer that is %s does not keep its request while it goes on',
  async (_how, dialect, event) => {
    const upstream = await opened(scriptedUpstream((wire) => wire.write(HEAD + event)))
    const server = await opened(
      watchingServer(upstream.url.replace('/v1', dialect === 'anthropic' ? '' : '/v1'), dialect),
    )
    const history = [{ role: 'user', content: 'x'.repeat(100_000) }]
    const answer = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: messagesBody({ messages: history }),
    })
    expect(answer.status).toBe(200)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await eventually(() => {
      collect()
      return !server.isHeld()
    }, 'nobody holds the request')
    await answer.body?.cancel()
  },
)
