import { HubError, type StartUpCall, startUpCalls } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { DialectExchange } from '../exchange/exchange.ts'
import { turnAway } from '../exchange/turn-away.ts'
import { METRICS_CONTENT_TYPE } from '../metrics/format-metrics.ts'
import { queryOf } from '../query.ts'
import { type Answer, empty, json, notFound } from './answer.ts'

/** What the gateway answers itself, whatever dialect is spoken. */
export function ownEndpoints<Native>(): ReadonlyMap<string, Answer<Native>> {
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
    ['HEAD /health', empty],
    ['GET /metrics', metrics],
    ['GET /session', json(session)],
    ...startUpCalls.map(startUpAnswer<Native>),
  ])
}

async function session<Native>(
  { method, path, query }: DialectExchange<Native>,
  { options }: GatewayContext<Native>,
): Promise<unknown> {
  const id = queryOf(query)['id'] ?? ''
  const known = await options.sessions?.(id)
  if (known !== undefined) return known
  throw new HubError('not_found_error', `${method} ${path}: nothing is known of this session`)
}

async function metrics<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Promise<void> {
  const text = context.options.metrics
  if (text === undefined) {
    notFound(exchange, context)
    return
  }
  if (exchange.identity !== undefined) {
    const words = 'the figures are of all clients, so they are not for one of them'
    turnAway(new HubError('permission_error', words), exchange, context)
    return
  }
  try {
    const body = await text()
    exchange.reply.head(200, { 'content-type': METRICS_CONTENT_TYPE })
    exchange.reply.end(body)
  } catch (thrown) {
    turnAway(thrown, exchange, context)
  }
}

function startUpAnswer<Native>({ method, path, answer }: StartUpCall): [string, Answer<Native>] {
  return [`${method} ${path}`, answer === undefined ? empty : json(() => answer)]
}
