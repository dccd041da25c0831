import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { profiles } from '@hydra/core'
import { createGateway, type Gateway, type GatewayOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { UsageError } from '../cli/usage-error.ts'
import { startDemoUpstream } from '../demo/demo-upstream.ts'
import { createLogger, type Logger } from '../log/logger.ts'
import type { Settings } from '../settings/settings.ts'

/** A proxy that listens. */
export interface RunningServer {
  readonly url: string
  readonly port: number
  readonly gateway: Gateway
  /** Stops listening, lets streams finish for a while and then ends them. */
  drain(milliseconds: number): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1', '[::1]'])

/** Starts the proxy. */
export async function startServer(
  settings: Settings,
  log: Logger = createLogger(settings.log),
): Promise<RunningServer> {
  refuseOpenDoor(settings)
  const options = await gatewayOptions(settings)
  const gateway = createGateway({
    ...options,
    transport: undiciTransport(),
    traces: settings.log === 'debug',
    onExchange: log,
  })
  const server = createServer({ maxHeaderSize: 32 * 1024 }, (request, response) => {
    void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
  })
  // Agents send long histories over slow lines; how long an answer may take is the gateway's business.
  server.requestTimeout = 0
  await listen(server, settings)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${hostInUrl(settings.host)}:${port}`,
    port,
    gateway,
    drain: (limit) => drain(server, gateway, limit),
  }
}

function refuseOpenDoor({ host, insecure, gateway }: Settings): void {
  if (LOOPBACK.has(host) || gateway.guard?.key !== undefined || insecure) return
  throw new UsageError(
    `--host ${host} lets other machines in: set a key with --key or HYDRA_KEY, or type --insecure if you mean it`,
  )
}

async function gatewayOptions({ gateway, isDemo, host }: Settings): Promise<GatewayOptions> {
  const guard = { ...gateway.guard, ...(LOOPBACK.has(host) ? { hosts: [...LOOPBACK] } : {}) }
  if (!isDemo) return { ...gateway, guard }
  const { url } = await startDemoUpstream()
  const demo = { dialect: 'openai-chat', url, profile: profiles.openai } as const
  return {
    ...gateway,
    guard,
    upstreams: { ...gateway.upstreams, demo },
    routes: [...gateway.routes, { name: 'demo', upstream: 'demo', model: 'demo' }],
  }
}

function listen(server: Server, { host, port }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new UsageError(`port ${port} is taken: choose another with --port`)
          : error,
      )
    })
    server.listen(port, host, resolve)
  })
}

async function drain(server: Server, gateway: Gateway, limit: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const deadline = performance.now() + limit
  while (gateway.active > 0 && performance.now() < deadline) {
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await gateway.close()
  server.closeIdleConnections()
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1000))])
  server.closeAllConnections()
}

function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
