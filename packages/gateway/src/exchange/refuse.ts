import { type HubError, toHubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { DialectExchange } from './exchange.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'

/** Answers with an error in the client's dialect. Nothing may have been sent before. */
export function refuse<Native>(
  thrown: unknown,
  { reply, caller }: DialectExchange<Native>,
  { reporter, context }: { reporter: ExchangeReporter<Native>; context: GatewayContext<Native> },
): HubError {
  const error = toHubError(thrown)
  const { status, headers, body } = caller.client.encodeError(error, reporter.id)
  reporter.began(status)
  reply.head(status, headers)
  // A connection that stays open would keep the server from closing.
  if (context.watchdog.closing !== undefined) reply.close(body)
  else reply.end(body)
  return error
}
