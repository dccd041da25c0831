import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '@hydra/cli'
import { profiles } from '@hydra/core'
import { createGateway, type ExchangeReport, type Gateway, type GatewayOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { type DemoUpstream, startDemoUpstream } from '../demo/demo-upstream.ts'
import { bareHost, urlOf } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'
import { refuseOpenDoor } from './open-door.ts'
import { startRecording } from './recording.ts'

/** A proxy that listens. */
export interface RunningServer {
  readonly url: string
  readonly port: number
  /** Stops listening, lets answers finish for so many milliseconds and then ends them with an error. */
  drain(limit: number): Promise<void>
}

/** Who is told what happens. */
export interface ServerLog {
  exchange(this: void, report: ExchangeReport): void
  problem(this: void, message: string): void
}

/** Longer than clients keep a connection they do not use, so that they are the ones who close it. */
const KEEP_ALIVE = 75_000

/** What the headers of a request may measure, in bytes, and how long they may take to arrive. */
const MOST_HEADERS = 32 * 1024
const HEADERS_TIMEOUT = 60_000

/** How long clients have to take the error that ends their streams. */
const LAST_WORDS = 1000

/** Starts the proxy. */
export async function startServer(settings: Settings, log: ServerLog): Promise<RunningServer> {
  refuseOpenDoor(settings)
  const recorder = startRecording(settings, log.problem)
  const demo = settings.isDemo ? await startDemoUpstream() : undefined
  const { connectTimeout, traces } = settings
  const gateway = createGateway({
    ...withDemo(settings.gateway, demo),
    transport: undiciTransport(connectTimeout === undefined ? {} : { connectTimeout }),
    traces,
    onExchange: log.exchange,
    ...(recorder === undefined ? {} : { traffic: recorder }),
  })
  const door = new Door(gateway)
  await listen(door.server, settings)
  const { port } = door.server.address() as AddressInfo
  return {
    url: urlOf(settings.host, port),
    port,
    async drain(limit) {
      await door.drain(limit)
      demo?.close()
      recorder?.close()
    },
  }
}

function withDemo(options: GatewayOptions, demo: DemoUpstream | undefined): GatewayOptions {
  if (demo === undefined) return options
  const upstream = { dialect: 'openai-chat', url: demo.url, profile: profiles.openai } as const
  return { ...options, upstreams: { ...options.upstreams, demo: upstream } }
}

function listen(server: Server, { host, port }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UsageError(reasonOf(error, host, port))),
    )
    server.listen(port, bareHost(host), resolve)
  })
}

function reasonOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} is taken: choose another with --port`
  if (code === 'EACCES') return `port ${port} needs more rights than you have: choose another with --port`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `--host ${host} is no address of this machine`
  return message
}

/** The HTTP server in front of a gateway; it knows which answers are under way. */
class Door {
  readonly server: Server
  readonly #gateway: Gateway
  #answering = 0
  #isDraining = false

  constructor(gateway: Gateway) {
    this.#gateway = gateway
    this.server = createServer({ maxHeaderSize: MOST_HEADERS }, (request, response) => {
      this.#answering += 1
      response.once('close', () => (this.#answering -= 1))
      if (this.#isDraining) response.setHeader('connection', 'close')
      void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
    })
    // Agents send long histories over slow lines; how long a request may take is the gateway's business.
    this.server.requestTimeout = 0
    this.server.headersTimeout = HEADERS_TIMEOUT
    this.server.keepAliveTimeout = KEEP_ALIVE
  }

  async drain(limit: number): Promise<void> {
    this.#isDraining = true
    this.server.close()
    await this.#finished(limit)
    await this.#gateway.close()
    await this.#finished(LAST_WORDS)
    this.server.closeAllConnections()
  }

  async #finished(limit: number): Promise<void> {
    const deadline = performance.now() + limit
    for (;;) {
      // A connection that was kept for a next request has none to wait for any more.
      this.server.closeIdleConnections()
      if (this.#answering === 0 || performance.now() >= deadline) return
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(20)
    }
  }
}
