import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { profiles } from '@hydra/core'
import { createGateway } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { createTapeRecorder, defaultRedaction } from '@hydra/tape'
import { UNRECORDED } from './recording-cost.ts'

const [port, upstreamPort, folder = ''] = process.argv.slice(2)

const recorder = createTapeRecorder({
  folder,
  redaction: defaultRedaction(process.env, homedir()),
  tool: 'bench',
  onProblem: (message) => {
    throw new Error(message)
  },
})

const gateway = createGateway({
  upstreams: {
    scripted: {
      dialect: 'openai-chat',
      url: `http://127.0.0.1:${upstreamPort}/v1`,
      profile: profiles.generic,
    },
  },
  routes: [{ name: 'all', upstream: 'scripted', model: 'gpt-bench' }],
  transport: undiciTransport(),
  traffic: { begin: (client) => (client.name === UNRECORDED ? undefined : recorder.begin(client)) },
})

createServer((request, response) => {
  void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
}).listen(Number(port), '127.0.0.1')
