import express from 'express'
import { hydra, openai, Secret } from '@hydra/adapter-express'

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
  guard: {
    // Clients send it as ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY.
    key: CLIENT_KEY === undefined ? undefined : new Secret(CLIENT_KEY),
    hosts: ['127.0.0.1', 'localhost'],
  },
  onExchange({ outcome, status, duration, usage }, native) {
    console.log(native.ip, outcome, status, `${Math.round(duration)} ms`, usage?.output_tokens ?? 0, 'tokens')
  },
})

const app = express()
app.use('/llm', llm)
// After the gateway, so that only your own routes have Express's small limit.
app.use(express.json())
app.get('/', (_request, response) => void response.send('my own page'))
app.post('/echo', (request, response) => void response.json(request.body))

const server = app.listen(Number(PORT), '127.0.0.1', (error) => {
  // Express 5 tells a taken port here, and nowhere else.
  if (error) throw error
  console.log(`ANTHROPIC_BASE_URL=http://127.0.0.1:${PORT}/llm`)
})

process.once('SIGTERM', () => {
  server.close()
  void llm.close()
})
