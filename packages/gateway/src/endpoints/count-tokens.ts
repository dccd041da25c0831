import type { GatewayContext } from '../context.ts'
import { clientCall } from '../exchange/client-call.ts'
import type { DialectExchange } from '../exchange/exchange.ts'
import { readJson } from '../exchange/prepare.ts'
import { watchClient } from '../exchange/client-watch.ts'
import { loadTokens } from './load-tokens.ts'

/** Counts the tokens of a request here: no upstream has to be asked, and the tokenizer is loaded only now. */
export async function countTokens<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Promise<unknown> {
  const { client } = exchange.caller
  const call = await clientCall(exchange, context, await readInTime(exchange, context))
  const counted = client.decodeCount?.(call)
  if (counted === undefined) return undefined
  const tokens = await loadTokens()
  return client.encodeCount?.(tokens.countTokens(counted.request))
}

async function readInTime<Native>(
  exchange: DialectExchange<Native>,
  context: GatewayContext<Native>,
): Promise<unknown> {
  const watch = watchClient(exchange, context)
  try {
    return (await watch.bound(readJson(exchange, context))).value
  } catch (thrown) {
    throw watch.explain(thrown)
  } finally {
    watch.stop()
  }
}
