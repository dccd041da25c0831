import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { closeServer } from '@hydra/testkit'
import { type Binding, type BoundServer, conformanceSuite, documentTests } from '@hydra/testkit/conformance'
import express, { type Request } from 'express'
import { hydra } from '../src/index.ts'

async function bind({ prefix, parsesBody, options }: Binding): Promise<BoundServer> {
  const app = express()
  const parser = express.json({ limit: '64mb' })
  if (parsesBody) app.use(parser)
  app.get('/own', (_request, response) => void response.send('own'))
  app.post('/own/echo', parser, (request, response) => void response.json(request.body))
  const llm = hydra(options)
  app.use(prefix, llm)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headerOf: (native, name) => (native as Request).get(name),
    async close() {
      const closed = closeServer(server)
      await llm.close()
      await closed
    },
  }
}

conformanceSuite('express', bind)
documentTests(new URL('../', import.meta.url))
