import type { GatewayContext } from '../context.ts'
import type { DialectExchange } from './exchange.ts'
import { ExchangeReporter } from './exchange-reporter.ts'
import { refuse } from './refuse.ts'

/** Refuses an exchange of which nothing was read, and reports it. */
export function turnAway<Native>(
  refusal: unknown,
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): void {
  const reporter = new ExchangeReporter(exchange, context)
  if (exchange.reply.isGone) reporter.done('aborted')
  else reporter.done('failed', { error: refuse(refusal, exchange, { reporter, context }) })
}
