import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { closeServer } from '@hydra/testkit'
import { type Binding, type BoundServer, conformanceSuite, documentTests } from '@hydra/testkit/conformance'
import { type Context, Hono } from 'hono'
import { hydra } from '../src/index.ts'

async function bind({ prefix, parsesBody, options }: Binding): Promise<BoundServer> {
  const app = new Hono()
  if (parsesBody) {
    app.use(async (context, next) => {
      if (context.req.header('content-type') === 'application/json') await context.req.json()
      await next()
    })
  }
  app.get('/own', (context) => context.text('own'))
  app.post('/own/echo', async (context) => context.json(await context.req.json()))
  const llm = hydra(options)
  app.route(prefix, llm)
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headerOf: (native, name) => (native as Context).req.header(name),
    async close() {
      const closed = closeServer(server)
      await llm.close()
      await closed
    },
  }
}

conformanceSuite('hono on @hono/node-server', bind)
documentTests(new URL('../', import.meta.url))
