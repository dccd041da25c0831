import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from '@hydra/gateway'
import { nodeExchange } from '@hydra/gateway/node'
import type { Team } from '@hydra/team'
import { probeAnswer, type ServingState } from './probes.ts'

/** Longer than clients keep a connection they do not use, so that they are the ones who close it. */
const KEEP_ALIVE = 75_000

/** What the headers of a request may measure, in bytes, and how long they may take to arrive. */
const MAX_HEADER_BYTES = 32 * 1024
const HEADERS_TIMEOUT = 60_000

/** How long clients have to take the error that ends their streams. */
const LAST_WORDS = 1000

/** How often it is looked whether a gateway of earlier settings has nothing more to do. */
const RETIREMENT_LOOK = 250

/** The HTTP server in front of a gateway; it knows which answers are under way. */
export class DrainingServer {
  readonly server: Server
  #gateway: Gateway
  /** Those of earlier settings, with answers under way. */
  readonly #retired = new Set<Gateway>()
  #answering = 0
  #isDraining = false

  constructor(gateway: Gateway, team?: Team) {
    this.#gateway = gateway
    this.server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
      this.#answering += 1
      response.once('close', () => (this.#answering -= 1))
      if (this.#isDraining) response.setHeader('connection', 'close')
      const state = (): ServingState => ({
        isDraining: this.#isDraining,
        trouble: team?.trouble(),
        isUsable: team?.knowsKeys ?? true,
      })
      if (probeAnswer(request.url, response, state)) return
      void this.#gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
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
    await Promise.all([this.#gateway, ...this.#retired].map((gateway) => gateway.close()))
    await this.#finished(LAST_WORDS)
    this.server.closeAllConnections()
  }

  /** Answers by another gateway from now on. */
  use(gateway: Gateway): void {
    const old = this.#gateway
    this.#gateway = gateway
    this.#retired.add(old)
    void this.#retire(old)
  }

  async #retire(gateway: Gateway): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    while (gateway.active > 0) await sleep(RETIREMENT_LOOK, undefined, { ref: false })
    await gateway.close()
    this.#retired.delete(gateway)
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
