import { createGateway, type GatewayOptions } from '@hydra/gateway'
import { type Context, Hono } from 'hono'

/** What the gateway can be told; hooks are given Hono's own context. */
export type HydraOptions = GatewayOptions<Context>

/** The endpoints as an application, to be mounted under any path. */
export interface HydraApp extends Hono {
  /** Ends what is under way. */
  close(): Promise<void>
}

/** Creates the application: `app.route('/any/prefix', hydra({ … }))`. It needs nothing of Node's. */
export function hydra(options: HydraOptions): HydraApp {
  const gateway = createGateway<Context>(options)
  const app = new Hono()
  app.all('*', (context) => {
    const prefix = context.req.routePath.replace(/\/?\*$/, '')
    return gateway.fetch(context.req.raw, { prefix, native: context })
  })
  return Object.assign(app, { close: () => gateway.close() })
}
