import { HubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { DialectExchange, Exchange } from '../exchange/exchange.ts'
import { turnAway } from '../exchange/turn-away.ts'

/** Answers one exchange with an endpoint. */
export type Answer<Native> = (
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
) => Promise<void> | void

type Value<Native> = (exchange: DialectExchange<Native>, context: GatewayContext<Native>) => unknown

/** Answers with one JSON value. */
export function json<Native>(value: Value<Native>): Answer<Native> {
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

/** Answers with nothing but a 200. */
export function empty<Native>({ reply }: Exchange<Native>): void {
  reply.head(200, {})
  reply.end()
}

/** Clients that add the version themselves, and were given a base URL that ends in one. */
const VERSION_TWICE = /^\/(v\d\w*)\/\1\//

/** Answers that there is no such endpoint. */
export function notFound<Native>(exchange: DialectExchange<Native>, context: GatewayContext<Native>): void {
  const { method, path } = exchange
  const [, version] = VERSION_TWICE.exec(path) ?? []
  const hint = version === undefined ? '' : `; this client's base URL must not end in /${version}`
  const message = `${method} ${path}: there is no such endpoint${hint}`
  turnAway(new HubError('not_found_error', message), exchange, context)
}
