import type { ClientCall } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { queryOf } from '../query.ts'
import type { DialectExchange } from './exchange.ts'

/** A request as its client's dialect reads it, with what it refers back to. */
export function clientCall<Native>(
  { method, path, query, headers, caller }: DialectExchange<Native>,
  { memory, newId }: GatewayContext<Native>,
  body: unknown,
): ClientCall {
  return {
    method,
    path,
    params: caller.params,
    query: queryOf(query),
    headers,
    body,
    now: Date.now(),
    newId,
    memory,
  }
}
