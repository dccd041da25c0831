import { createServer } from 'node:http'
import { openaiChat, profiles } from '@hydra/core'
import { createGateway } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { createTeam, DOLLAR, hashOf, openStore } from '@hydra/team'
import { UNRECORDED } from '../tape/recording-cost.ts'

const [port, upstreamPort, store = 'memory'] = process.argv.slice(2)

const KEY = 'hydra_bench1'
const PLENTY = 1e9

const team = await createTeam({
  store: await openStore(store, { timeout: 5000 }),
  keys: [
    {
      id: 'bench',
      name: 'bench',
      hash: hashOf(KEY),
      limits: {
        requestsPerMinute: PLENTY,
        tokensPerMinute: PLENTY,
        streams: PLENTY,
        budgets: [
          { per: 'day', unit: 'money', limit: PLENTY * DOLLAR },
          { per: 'month', unit: 'tokens', limit: PLENTY * PLENTY },
        ],
      },
    },
  ],
  priceOf: ({ input, output }) => (input + 4 * output) / 1e6,
})

const gateway = createGateway({
  upstreams: {
    scripted: {
      dialect: openaiChat.name,
      url: `http://127.0.0.1:${upstreamPort}/v1`,
      profile: profiles.generic,
    },
  },
  routes: [{ name: 'all', upstream: 'scripted', model: 'gpt-bench' }],
  transport: undiciTransport(),
  authorize: (info) =>
    info.headers['user-agent'] === UNRECORDED
      ? true
      : team.authorize({ ...info, headers: { ...info.headers, 'x-api-key': KEY } }),
  limiter: team.limiter,
})

createServer((request, response) => {
  void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
}).listen(Number(port), '127.0.0.1')
