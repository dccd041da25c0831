import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { registry } from '@hydra/core'
import { createGateway } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { createTapeRecorder, defaultRedaction } from '@hydra/tape'
import { UNRECORDED } from './recording-cost.ts'

const [port, upstreamPort, folder = '', dialect = ''] = process.argv.slice(2)

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
      dialect,
      url: `http://127.0.0.1:${upstreamPort}${registry.upstream(dialect).baseVersion ?? '/v1'}`,
      profile: registry.upstream(dialect).defaultProfile,
    },
  },
  routes: [{ name: 'all', upstream: 'scripted', model: 'gpt-bench' }],
  transport: undiciTransport(),
  traffic: { begin: (client) => (client.name === UNRECORDED ? undefined : recorder.begin(client)) },
})

createServer((request, response) => {
  void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
}).listen(Number(port), '127.0.0.1')
