import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '@hydra/cli'
import type { GatewayOptions } from '@hydra/gateway'
import type { Through } from '../regress-result.ts'

/** The frameworks that there is an adapter for. */
export type Framework = Exclude<Through, 'core'>

/** A server of a framework with the adapter in it. */
export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts a server of a framework on a loopback port. */
export async function startServer(framework: Framework, options: GatewayOptions): Promise<RunningServer> {
  return STARTERS[framework](options)
}

type Starter = (options: GatewayOptions) => Promise<RunningServer>

/** Frameworks are loaded when they are needed: a framework that is not used need not be installed. */
const STARTERS: Readonly<Record<Framework, Starter>> = {
  async express(options) {
    const [{ default: express }, { hydra }] = await loaded('express', () =>
      Promise.all([import('express'), import('@hydra/adapter-express')]),
    )
    const app = express()
    const middleware = hydra(options)
    app.use(middleware)
    return listening(app.listen(0, '127.0.0.1'), () => middleware.close())
  },
  async fastify(options) {
    const [{ default: createApp }, { hydra }] = await loaded('fastify', () =>
      Promise.all([import('fastify'), import('@hydra/adapter-fastify')]),
    )
    const app = createApp()
    await app.register(hydra, options)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    return {
      url,
      async close() {
        app.server.closeAllConnections()
        await app.close()
      },
    }
  },
  async hono(options) {
    const [{ createAdaptorServer }, { hydra }] = await loaded('hono', () =>
      Promise.all([import('@hono/node-server'), import('@hydra/adapter-hono')]),
    )
    const app = hydra(options)
    const server = createAdaptorServer({ fetch: app.fetch }) as Server
    return listening(server.listen(0, '127.0.0.1'), () => app.close())
  },
}

async function loaded<Modules>(framework: Framework, load: () => Promise<Modules>): Promise<Modules> {
  try {
    return await load()
  } catch (cause) {
    throw new UsageError(
      `--through ${framework}: install ${framework} and @hydra/adapter-${framework} to use it`,
      { cause },
    )
  }
}

async function listening(server: Server, closeGateway: () => Promise<void>): Promise<RunningServer> {
  if (!server.listening) await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await closeGateway()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
