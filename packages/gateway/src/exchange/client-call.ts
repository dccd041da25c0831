import type { ClientCall } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import { ClientMemory } from '../memory/client-memory.ts'
import { queryOf } from '../query.ts'
import type { DialectExchange } from './exchange.ts'

/** A request as its client's dialect reads it, with what it refers back to. */
export async function clientCall<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
  body: unknown,
): Promise<ClientCall> {
  const { method, path, query, headers, caller, identity } = exchange
  const { memory, newId } = context
  const call = {
    method,
    path,
    params: caller.params,
    query: queryOf(query),
    headers,
    body,
    now: Date.now(),
    newId,
  }
  if (!('recall' in memory)) {
    return { ...call, memory: identity === undefined ? memory : new ClientMemory(memory, identity.id) }
  }
  const keys = caller.client.recalls?.(call) ?? []
  return { ...call, memory: await memory.recall(identity?.id ?? '', keys) }
}
