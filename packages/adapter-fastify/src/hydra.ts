import { createGateway, type HydraOptions as GatewayHydraOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest, RegisterOptions } from 'fastify'

/** The options of the gateway; hooks are given Fastify's own request. */
export type HydraOptions<Name extends string = string> = GatewayHydraOptions<FastifyRequest, Name>

/** The endpoints as a plugin: `app.register(hydra, { prefix: '/any', … })`. It closes with the server. */
export const hydra: FastifyPluginAsync<HydraOptions> = async (app, registered) => {
  // These are Fastify's own; everything else is checked by the gateway.
  const {
    prefix: _prefix,
    logLevel: _level,
    logSerializers: _serializers,
    ...options
  }: HydraOptions & RegisterOptions = registered
  const gateway = createGateway<FastifyRequest>({ transport: undiciTransport(), ...options })
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack()
    // What hooks have set, such as CORS or rate limits, goes out with our own headers.
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    await gateway.handle(
      nodeExchange(request.raw, reply.raw, { url: urlBelow(request), native: request, body: request.body }),
    )
  }
  // The gateway reads the body itself, within its own limit, so Fastify leaves it alone here.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // Fastify refuses what is no media type at all by itself; the gateway does so in the client's dialect.
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error
    return answer(request, reply)
  })
  app.all('/', answer)
  app.all('/*', answer)
  // Running streams would keep the server from closing, and `onClose` comes only after that.
  app.addHook('preClose', () => gateway.close())
}

/** The URL below the mount point, which may hold parameters. */
function urlBelow({ params, raw: { url = '' } }: FastifyRequest): string {
  const { '*': path = '' } = params as { '*'?: string }
  const queryAt = url.indexOf('?')
  return `/${path}${queryAt === -1 ? '' : url.slice(queryAt)}`
}
