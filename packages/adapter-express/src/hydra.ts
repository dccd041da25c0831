import { createGateway, type GatewayOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import type { Request, RequestHandler } from 'express'

/** What the gateway can be told; hooks are given Express's own request. */
export type HydraOptions = GatewayOptions<Request>

/** The endpoints as middleware, to be mounted under any path. */
export interface HydraMiddleware extends RequestHandler {
  /** Ends what is under way and closes the connections to upstreams. */
  close(): Promise<void>
}

/** Creates the middleware: `app.use('/any/prefix', hydra({ … }))`, with or without `express.json()` before it. */
export function hydra(options: HydraOptions): HydraMiddleware {
  const gateway = createGateway<Request>({ transport: undiciTransport(), ...options })
  const handler: RequestHandler = async (request, response) => {
    const exchange = nodeExchange(request, response, {
      url: request.url,
      native: request,
      body: request.body,
    })
    await gateway.handle(exchange)
  }
  return Object.assign(handler, { close: () => gateway.close() })
}
