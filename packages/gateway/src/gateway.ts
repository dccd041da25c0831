import { HubError, type Caller } from '@hydra/core'
import { contextOf, type GatewayContext } from './context.ts'
import { countTokens } from './endpoints/count-tokens.ts'
import { listModels, showModel } from './endpoints/models.ts'
import { clientCall } from './exchange/client-call.ts'
import type { DialectExchange, Exchange, RequestBody } from './exchange/exchange.ts'
import { generate } from './exchange/generate.ts'
import { ExchangeReporter } from './exchange/exchange-reporter.ts'
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

type Answer<Native> = (
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
) => Promise<void> | void

/** Creates the gateway. */
export function createGateway<Native = unknown>(options: GatewayOptions<Native>): Gateway<Native> {
  const context = contextOf(options)
  const own = ownEndpoints<Native>()
  const handle = async (incoming: Exchange<Native>): Promise<void> => {
    const exchange = { ...incoming, caller: context.router.find(incoming) }
    const refusal = await admit(exchange, context)
    if (refusal !== undefined || exchange.reply.isGone) {
      turnAway(refusal, exchange, context)
      return
    }
    const answer = own.get(`${exchange.method} ${exchange.path}`) ?? answerFor<Native>(exchange.caller)
    await answer(exchange, context)
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
  { method, path, query, headers, native }: Exchange<Native>,
  { options, watchdog, ownId }: GatewayContext<Native>,
): Promise<unknown> {
  if (watchdog.closing !== undefined) return watchdog.closing
  const stranger = options.guard === undefined ? undefined : checkRequest({ headers, query }, options.guard)
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
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): void {
  const reporter = new ExchangeReporter(exchange, context)
  if (exchange.reply.isGone) reporter.done('aborted')
  else reporter.done('failed', { error: refuse(refusal, exchange, { reporter, context }) })
}

/** What the gateway answers itself, whatever dialect is spoken. */
function ownEndpoints<Native>(): ReadonlyMap<string, Answer<Native>> {
  // A client's starter must know whether the client's own credentials are needed.
  const health = json<Native>((_exchange, { options }) => ({
    status: 'ok',
    name: 'hydra',
    passes: options.routes.some(({ passthrough }) => passthrough === true),
  }))
  return new Map<string, Answer<Native>>([
    ['GET /', health],
    ['GET /health', health],
    ['HEAD /', empty],
    ['HEAD /api/hello', empty],
    ['POST /api/event_logging/batch', json(() => ({}))],
  ])
}

/** How what a client calls for is answered. */
function answerFor<Native>({ endpoint }: Caller): Answer<Native> {
  switch (endpoint?.purpose) {
    case 'generate':
      return generate
    case 'count':
      return json(countTokens)
    case 'models':
      return json(({ caller }, { options }) => listModels(caller, options))
    case 'model':
      return json(({ caller }, { options }) => showModel(caller, options))
    case 'own':
      return json((exchange, context) => endpoint.answer(clientCall(exchange, context, undefined)))
    case undefined:
      return notFound
  }
}

type Value<Native> = (exchange: DialectExchange<Native>, context: GatewayContext<Native>) => unknown

/** Answers with one JSON value. */
function json<Native>(value: Value<Native>): Answer<Native> {
  return async (exchange, context) => {
    try {
      const body = JSON.stringify(await value(exchange, context))
      exchange.reply.head(200, { 'content-type': 'application/json' })
      exchange.reply.end(body)
    } catch (thrown) {
      turnAway(thrown, exchange, context)
    }
  }
}

function empty<Native>({ reply }: Exchange<Native>): void {
  reply.head(200, {})
  reply.end()
}

function notFound<Native>(exchange: DialectExchange<Native>, context: GatewayContext<Native>): void {
  turnAway(
    new HubError('not_found_error', `${exchange.method} ${exchange.path}: there is no such endpoint`),
    exchange,
    context,
  )
}
