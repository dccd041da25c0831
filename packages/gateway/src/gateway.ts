import { HubError } from '@hydra/core'
import { contextOf, type GatewayContext } from './context.ts'
import { countTokens } from './endpoints/count-tokens.ts'
import { listModels } from './endpoints/models.ts'
import type { Exchange, RequestBody } from './exchange/exchange.ts'
import { answerMessages } from './exchange/messages.ts'
import { Recorder } from './exchange/recorder.ts'
import { refuse } from './exchange/refuse.ts'
import { checkRequest } from './guard.ts'
import type { GatewayOptions } from './options.ts'
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

type Endpoint<Native> = (exchange: Exchange<Native>, context: GatewayContext<Native>) => Promise<void> | void

/** Creates the gateway. */
export function createGateway<Native = unknown>(options: GatewayOptions<Native>): Gateway<Native> {
  const context = contextOf(options)
  const endpoints = endpointsOf<Native>()
  const handle = async (exchange: Exchange<Native>): Promise<void> => {
    const refusal = await admit(exchange, context)
    if (refusal !== undefined || exchange.reply.isGone) {
      turnAway(refusal, exchange, context)
      return
    }
    const endpoint = endpoints.get(`${exchange.method} ${exchange.path}`) ?? notFound
    await endpoint(exchange, context)
  }
  return {
    handle,
    fetch: (request, binding) => webFetch(request, handle, binding),
    get active() {
      return context.watchdog.size
    },
    async close() {
      context.watchdog.failAll(new HubError('overloaded_error', 'the server is shutting down'))
      await context.transport.close()
    },
  }
}

async function admit<Native>(
  { method, path, headers, native }: Exchange<Native>,
  { options, watchdog, ownId }: GatewayContext<Native>,
): Promise<unknown> {
  if (watchdog.closing !== undefined) return watchdog.closing
  const stranger = options.guard === undefined ? undefined : checkRequest(headers, options.guard)
  const refusal = stranger ?? refuseLoop(headers, ownId)
  if (refusal !== undefined) return refusal
  try {
    return (await options.authorize?.({ method, path, headers, native })) ?? undefined
  } catch (thrown) {
    return thrown
  }
}

function turnAway<Native>(
  refusal: unknown,
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
): void {
  const recorder = new Recorder(exchange, context)
  if (exchange.reply.isGone) recorder.done('aborted')
  else recorder.done('failed', { error: refuse(refusal, exchange.reply, { recorder, context }) })
}

function endpointsOf<Native>(): ReadonlyMap<string, Endpoint<Native>> {
  // Whoever starts a client must know whether its own credentials are needed.
  const health = json<Native>((_exchange, { options }) => ({
    status: 'ok',
    name: 'hydra',
    passes: options.routes.some(({ passthrough }) => passthrough === true),
  }))
  const models = json<Native>(({ headers }, { options }) => listModels(options, headers))
  return new Map<string, Endpoint<Native>>([
    ['POST /v1/messages', answerMessages],
    ['POST /v1/messages/count_tokens', json(countTokens)],
    ['GET /v1/models', models],
    ['GET /', health],
    ['GET /health', health],
    ['HEAD /', empty],
    ['HEAD /api/hello', empty],
    ['POST /api/event_logging/batch', json(() => ({}))],
  ])
}

type Answer<Native> = (
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
) => object | Promise<object>

/** An endpoint that answers with one JSON value. */
function json<Native>(answer: Answer<Native>): Endpoint<Native> {
  return async (exchange, context) => {
    try {
      const value = await answer(exchange, context)
      exchange.reply.head(200, { 'content-type': 'application/json' })
      exchange.reply.end(JSON.stringify(value))
    } catch (thrown) {
      turnAway(thrown, exchange, context)
    }
  }
}

function empty<Native>({ reply }: Exchange<Native>): void {
  reply.head(200, {})
  reply.end()
}

function notFound<Native>(exchange: Exchange<Native>, context: GatewayContext<Native>): void {
  turnAway(
    new HubError('not_found_error', `${exchange.method} ${exchange.path}: there is no such endpoint`),
    exchange,
    context,
  )
}
