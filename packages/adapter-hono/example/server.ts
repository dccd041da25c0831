import { serve } from '@hono/node-server'
import { undiciTransport } from '@hydra/gateway/node'
import { Hono } from 'hono'
import { hydra, openai, Secret } from '@hydra/adapter-hono'

// Run it: OPENAI_API_KEY=… node example/server.ts
// Then:   ANTHROPIC_BASE_URL=http://127.0.0.1:3000/llm ANTHROPIC_AUTH_TOKEN=any claude
const { PORT = '3000', OPENAI_BASE_URL, OPENAI_API_KEY, CLIENT_KEY } = process.env

const llm = hydra({
  upstreams: {
    openai: openai({ url: OPENAI_BASE_URL, key: OPENAI_API_KEY }),
  },
  routes: [
    { name: 'small', match: { models: ['*haiku*'] }, upstream: 'openai', model: 'gpt-5.5-mini' },
    { name: 'all', upstream: 'openai', model: 'gpt-5.5' },
  ],
  // Leave it out where there is no Node: calls are then made with `fetch`.
  transport: undiciTransport(),
  guard: {
    // Clients send it as ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY.
    key: CLIENT_KEY === undefined ? undefined : new Secret(CLIENT_KEY),
    hosts: ['127.0.0.1', 'localhost'],
  },
  onExchange({ outcome, status, duration, usage }, native) {
    console.log(
      native.req.path,
      outcome,
      status,
      `${Math.round(duration)} ms`,
      usage?.output_tokens ?? 0,
      'tokens',
    )
  },
})

const app = new Hono()
app.get('/', (context) => context.text('my own page'))
app.post('/echo', async (context) => context.json(await context.req.json()))
app.route('/llm', llm)

const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () => {
  console.log(`ANTHROPIC_BASE_URL=http://127.0.0.1:${PORT}/llm`)
})

process.once('SIGTERM', () => {
  server.close()
  void llm.close()
})
