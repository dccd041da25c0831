import type { GatewayContext } from '../context.ts'
import { clientCall } from '../exchange/client-call.ts'
import type { DialectExchange } from '../exchange/exchange.ts'
import { readJson } from '../exchange/prepare.ts'
import { beginWaiting } from '../exchange/waiting-call.ts'
import { loadTokens } from './load-tokens.ts'

/** Counts the tokens of a request here: no upstream has to be asked, and the tokenizer is loaded only now. */
export async function countTokens<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Promise<unknown> {
  const { client } = exchange.caller
  const call = clientCall(exchange, context, await readInTime(exchange, context))
  const counted = client.decodeCount?.(call)
  if (counted === undefined) return undefined
  const tokens = await loadTokens()
  return client.encodeCount?.(tokens.countTokens(counted.request))
}

async function readInTime<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Promise<unknown> {
  const waiting = beginWaiting(exchange, context)
  try {
    return (await waiting.bound(readJson(exchange, context))).value
  } catch (thrown) {
    throw waiting.explain(thrown)
  } finally {
    waiting.stop()
  }
}
