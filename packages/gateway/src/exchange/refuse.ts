import { type HubError, toHubError } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { DialectExchange } from './exchange.ts'
import type { ExchangeReporter } from './exchange-reporter.ts'

/** What a refusal goes through. */
interface Refusal<Native> {
  readonly reporter: ExchangeReporter<Native>
  readonly context: GatewayContext<Native>
  /** Headers beside those of the dialect's errors. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers with an error in the client's dialect. Nothing may have been sent before. */
export function refuse<Native>(
  thrown: unknown,
  { reply, caller }: DialectExchange<Native>,
  { reporter, context, headers }: Refusal<Native>,
): HubError {
  const error = toHubError(thrown)
  const encoded = caller.client.encodeError(error, reporter.id)
  // What the upstream says in its own words goes with its own status: some bodies repeat it.
  const status = error.bodyStatus ?? encoded.status
  const body = error.body ?? encoded.body
  reporter.began(status)
  reply.head(status, { ...encoded.headers, ...reporter.limitHeaders, ...headers })
  // A connection that stays open would keep the server from closing.
  if (context.watchdog.closing !== undefined) reply.close(body)
  else reply.end(body)
  return error
}
