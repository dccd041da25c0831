import { headerOf, HubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { DialectExchange, Exchange } from './exchange.ts'
import { ExchangeReporter } from './exchange-reporter.ts'
import { refuse } from './refuse.ts'

/** Other upgrades, such as the one to HTTP/2 that Java's client offers with every request, may be ignored. */
export function asksForWebSocket({ method, headers }: Exchange): boolean {
  if (headers['upgrade'] === undefined || method !== 'GET') return false
  const offered =
    headerOf(headers, 'upgrade')
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? []
  return offered.includes('websocket')
}

/**
 * Answers 426, after which Codex goes on by HTTP at once. It comes before any other check: 401 and 404 would cost
 * Codex seven tries, and 400 its session.
 */
export function refuseWebSocket<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): void {
  const reporter = new ExchangeReporter(exchange, context)
  const error = new HubError('invalid_request_error', 'WebSocket is not spoken here: send requests by HTTP', {
    status: 426,
  })
  // A 426 has to name the protocol that is asked for instead.
  const headers = { connection: 'upgrade', upgrade: 'HTTP/1.1' }
  reporter.done('failed', { error: refuse(error, exchange, { reporter, context, headers }) })
}
