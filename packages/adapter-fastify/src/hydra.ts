import { createGateway, type GatewayOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'

/** What the gateway can be told; hooks are given Fastify's own request. */
export type HydraOptions = GatewayOptions<FastifyRequest>

/** The endpoints as a plugin: `app.register(hydra, { prefix: '/any', … })`. It closes with the server. */
export const hydra: FastifyPluginAsync<HydraOptions> = async (app, options) => {
  const gateway = createGateway<FastifyRequest>({ transport: undiciTransport(), ...options })
  const mount = app.prefix
  // The gateway reads the body itself, within its own limit, so Fastify leaves it alone here.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.all('/*', async (request, reply) => {
    reply.hijack()
    const url = request.raw.url ?? '/'
    const below = url.startsWith(mount) ? url.slice(mount.length) : url
    await gateway.handle(
      nodeExchange(request.raw, reply.raw, {
        url: below.startsWith('/') ? below : `/${below}`,
        native: request,
        body: request.body,
      }),
    )
  })
  app.addHook('onClose', () => gateway.close())
}
