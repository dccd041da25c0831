import Fastify from 'fastify'
import { hydra, openai, Secret } from '@hydra/adapter-fastify'

// Run it: OPENAI_API_KEY=… node example/server.ts
// Then:   ANTHROPIC_BASE_URL=http://127.0.0.1:3000/llm ANTHROPIC_AUTH_TOKEN=any claude
const { PORT = '3000', OPENAI_BASE_URL, OPENAI_API_KEY, CLIENT_KEY } = process.env

const app = Fastify({ logger: true })

app.get('/', async () => 'my own page')
app.post('/echo', (request, reply) => reply.send(request.body))

await app.register(hydra, {
  prefix: '/llm',
  upstreams: {
    openai: openai({ url: OPENAI_BASE_URL, key: OPENAI_API_KEY }),
  },
  routes: [
    { name: 'small', match: { models: ['*haiku*'] }, upstream: 'openai', model: 'gpt-5.5-mini' },
    { name: 'all', upstream: 'openai', model: 'gpt-5.5' },
  ],
  guard: {
    // Clients send it as ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY.
    key: CLIENT_KEY === undefined ? undefined : new Secret(CLIENT_KEY),
    hosts: ['127.0.0.1', 'localhost'],
  },
  onExchange({ outcome, status, usage }, native) {
    native.log.info({ outcome, status, tokens: usage?.output_tokens }, 'exchange')
  },
})

const origin = await app.listen({ port: Number(PORT), host: '127.0.0.1' })
app.log.info(`ANTHROPIC_BASE_URL=${origin}/llm`)

process.once('SIGTERM', () => void app.close())
