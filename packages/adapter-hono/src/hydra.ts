import { createGateway, type HydraOptions as GatewayHydraOptions, type RequestBody } from '@hydra/gateway'
import { type Context, Hono } from 'hono'
import { basePath } from 'hono/route'

/** The options of the gateway; hooks are given Hono's own context. */
export type HydraOptions<Name extends string = string> = GatewayHydraOptions<Context, Name>

/** The endpoints as an application, to be mounted under any path. */
export interface HydraApp extends Hono {
  /** Ends what is under way. */
  close(): Promise<void>
}

/** Creates the application: `app.route('/any/prefix', hydra({ … }))`. It needs nothing of Node's. */
export function hydra<Name extends string>(options: HydraOptions<Name>): HydraApp {
  const gateway = createGateway<Context, Name>(options)
  const app = new Hono()
  app.all('*', (context) =>
    gateway.fetch(context.req.raw, {
      prefix: prefixOf(context),
      native: context,
      body: context.req.raw.bodyUsed ? () => bodyOf(context) : undefined,
      broken: () => hangUp(context.env as ServerBindings | undefined),
    }),
  )
  return Object.assign(app, { close: () => gateway.close() })
}

/** The mount point as the URL spells it: Hono gives it decoded, and with the values of its parameters. */
function prefixOf(context: Context): string {
  const depth = basePath(context).replace(/\/$/, '').split('/').length
  return new URL(context.req.url).pathname.split('/').slice(0, depth).join('/')
}

/** The body that a validator or other middleware has read before us: Hono keeps it. */
async function bodyOf({ req }: Context): Promise<RequestBody> {
  return { bytes: new Uint8Array(await req.arrayBuffer()) }
}

/** What `@hono/node-server` puts beside a request; other runtimes have nothing of the kind. */
interface ServerBindings {
  readonly outgoing?: {
    readonly socket?: { destroySoon?(): void } | null
    once(event: 'finish', listener: () => void): void
  }
}

/** Closes the connection after an answer that broke off, where the server lets us. */
function hangUp(bindings: ServerBindings | undefined): void {
  const socket = bindings?.outgoing?.socket
  bindings?.outgoing?.once('finish', () => socket?.destroySoon?.())
}
