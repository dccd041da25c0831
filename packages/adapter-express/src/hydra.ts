import { createGateway, type HydraOptions as GatewayHydraOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import type { Request, RequestHandler } from 'express'

/** The options of the gateway; hooks are given Express's own request. */
export type HydraOptions<Name extends string = string> = GatewayHydraOptions<Request, Name>

/** The endpoints as middleware, to be mounted under any path. */
export interface HydraMiddleware extends RequestHandler {
  /** Ends what is under way and closes the connections to upstreams. */
  close(): Promise<void>
}

/** Creates the middleware: `app.use('/any/prefix', hydra({ … }))`, with or without `express.json()` before it. */
export function hydra<Name extends string>(options: HydraOptions<Name>): HydraMiddleware {
  const gateway = createGateway<Request, Name>({ transport: undiciTransport(), ...options })
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
