import { decodeCountRequest } from '@hydra/core'
import type { GatewayContext } from '../context.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readJson } from '../exchange/prepare.ts'

/** Counts the tokens of a request here: no upstream has to be asked, and the tokenizer is loaded only now. */
export async function countTokens<Native>(
  exchange: Exchange<Native>,
  context: GatewayContext<Native>,
): Promise<object> {
  const { value } = await readJson(exchange, context)
  const { request } = decodeCountRequest(value)
  const tokens = await import('@hydra/core/tokens')
  return { input_tokens: tokens.countTokens(request) }
}
