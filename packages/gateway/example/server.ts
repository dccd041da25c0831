import { createServer } from 'node:http'
import { createGateway, openai } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'

const { PORT = '3000', OPENAI_BASE_URL: url, OPENAI_API_KEY: key } = process.env

const gateway = createGateway({
  upstreams: { openai: openai({ url, key }) },
  model: 'gpt-5.5',
  transport: undiciTransport(),
  guard: { hosts: ['127.0.0.1', 'localhost'] },
  onExchange: ({ outcome, status, duration }) => console.log(outcome, status, Math.round(duration), 'ms'),
})

createServer((request, response) => {
  void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
}).listen(Number(PORT), '127.0.0.1', () => console.log(`ANTHROPIC_BASE_URL=http://127.0.0.1:${PORT}`))
