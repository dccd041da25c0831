import { type Binding, type BoundServer, conformanceSuite, documentTests } from '@hydra/testkit/conformance'
import Fastify, { type FastifyRequest } from 'fastify'
import { hydra } from '../src/index.ts'

async function bind({ prefix, parsesBody, options }: Binding): Promise<BoundServer> {
  const app = Fastify()
  app.get('/own', async () => 'own')
  app.post('/own/echo', (request, reply) => reply.send(request.body))
  // Fastify always parses; a parser of the user's own must not get in the way either.
  if (parsesBody) {
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: 1e8 },
      (_request, body, done) => done(null, JSON.parse(body as string)),
    )
  }
  await app.register(hydra, { ...options, prefix })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin,
    server: app.server,
    headerOf: (native, name) => (native as FastifyRequest).headers[name] as string,
    async close() {
      const timer = setInterval(() => app.server.closeIdleConnections(), 20)
      await app.close()
      clearInterval(timer)
    },
  }
}

conformanceSuite('fastify', bind)
documentTests(new URL('../', import.meta.url))
