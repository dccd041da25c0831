import { createServer } from 'node:http'
import { openaiChat, profiles } from '@hydra/core'
import { createGateway } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { createInspector } from '@hydra/inspector'
import { UNRECORDED } from '../tape/recording-cost.ts'

const [port, upstreamPort] = process.argv.slice(2)

const inspector = createInspector()
const { traffic } = inspector

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
  inspector: {
    ...inspector,
    traffic: { begin: (client) => (client.name === UNRECORDED ? undefined : traffic.begin(client)) },
  },
})

createServer((request, response) => {
  void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
}).listen(Number(port), '127.0.0.1')
