import { HubError } from '@hydra/core'
import { askServer, type Verdict } from './client/ask-server.ts'
import { completeOptions } from './complete-options.ts'
import { contextOf, type GatewayContext } from './context.ts'
import { answerFor } from './endpoints/answer-for.ts'
import { inspect } from './endpoints/inspect.ts'
import { ownEndpoints } from './endpoints/own-endpoints.ts'
import type { Exchange, RequestBody } from './exchange/exchange.ts'
import { asksForWebSocket, refuseWebSocket } from './exchange/refuse-web-socket.ts'
import { turnAway } from './exchange/turn-away.ts'
import { checkRequest } from './guard.ts'
import { attachObservers } from './observe/attach-observers.ts'
import type { HydraOptions } from './options.ts'
import { isForInspector } from './taping/inspector.ts'
import { refuseLoop } from './upstream/hops.ts'
import { webFetch } from './web/web-fetch.ts'

/** The endpoints, ready to be bound to any server. */
export interface Gateway<Native = unknown> {
  /** Answers one exchange; never rejects. */
  handle(exchange: Exchange<Native>): Promise<void>
  /** Answers a web-standard request; the path begins below the prefix. */
  fetch(request: Request, binding?: FetchBinding<Native>): Promise<Response>
  /** How many exchanges are under way. */
  readonly active: number
  /** Ends what is still under way with an error and closes all connections to upstreams. */
  close(): Promise<void>
}

/** How a web-standard request is bound to its server. */
export interface FetchBinding<Native> {
  /** The path under which the gateway is mounted. */
  readonly prefix?: string
  /** The framework's own request, for hooks. */
  readonly native?: Native
  /** Gives the body, if the framework has read it already. */
  readonly body?: (() => Promise<RequestBody>) | undefined
  /** Called when an answer broke off after its beginning: its connection is of no more use. */
  readonly broken?: (() => void) | undefined
}

/** Creates the gateway. Options that it cannot work with are an `OptionsError` that names each of them. */
export function createGateway<Native = unknown, Name extends string = string>(
  wishes: HydraOptions<Native, Name>,
): Gateway<Native> {
  const options = completeOptions(wishes)
  const context = contextOf(options)
  attachObservers(context)
  const own = ownEndpoints<Native>()
  const handle = async (incoming: Exchange<Native>): Promise<void> => {
    incoming.reply.patience = context.timeouts.client
    if (options.inspector !== undefined && isForInspector(incoming.path)) {
      await inspect(incoming, options.inspector, context)
      return
    }
    const exchange = { ...incoming, caller: context.router.find(incoming) }
    if (asksForWebSocket(exchange)) {
      refuseWebSocket(exchange, context)
      return
    }
    const admitted = await admit(exchange, context)
    const identity = admitted instanceof HubError ? undefined : admitted
    if (admitted instanceof HubError || exchange.reply.isGone) {
      turnAway(admitted, exchange, context)
      return
    }
    const answer = own.get(`${exchange.method} ${exchange.path}`) ?? answerFor<Native>(exchange.caller)
    await answer(identity === undefined ? exchange : { ...exchange, identity }, context)
  }
  return {
    handle,
    fetch: (request, binding) => webFetch(request, handle, binding),
    get active() {
      return context.watchdog.size
    },
    async close() {
      options.inspector?.close()
      context.watchdog.failAll(new HubError('overloaded_error', 'the server is shutting down'))
      await context.transport.close()
    },
  }
}

/** Why a request is refused, or who sent it, as far as that is known. */
async function admit<Native>(exchange: Exchange<Native>, context: GatewayContext<Native>): Promise<Verdict> {
  const { options, watchdog, ownId } = context
  const { headers, query } = exchange
  if (watchdog.closing !== undefined) return watchdog.closing
  const stranger = options.guard === undefined ? undefined : checkRequest({ headers, query }, options.guard)
  const refusal = stranger ?? refuseLoop(headers, ownId())
  return refusal ?? askServer(exchange, options)
}
