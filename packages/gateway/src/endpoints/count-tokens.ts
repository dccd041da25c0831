import { decodeCountRequest } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readJson } from '../exchange/prepare.ts'
import { beginWaiting } from '../exchange/waiting-call.ts'

/** Counts the tokens of a request here: no upstream has to be asked, and the tokenizer is loaded only now. */
export async function countTokens<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
): Promise<object> {
  const { request } = decodeCountRequest(await readInTime(exchange, context))
  const tokens = await import('@hydra/core/tokens')
  return { input_tokens: tokens.countTokens(request) }
}

async function readInTime<Native>(
  exchange: Exchange<Native>,
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
