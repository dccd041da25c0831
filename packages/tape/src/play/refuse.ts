import type { ServerResponse } from 'node:http'

/**
 * The status of a request that cannot be answered: one that no provider uses and no client tries again. From 500 up
 * the SDKs try again; after 400 and 422 Claude Code leaves out one thing after the other, and after 404 it speaks of
 * the model only. All of them would hide the cause.
 */
const REFUSED = 418

/**
 * The same for a request that came through a gateway: that makes a 400 of every status that it has no name for. It
 * passes this one on as it is, and with `x-should-retry` Claude Code stops there.
 */
const REFUSED_BEHIND_GATEWAY = 409

/** Which gateways a request came through, in the words of Hydra's. */
const HOPS_HEADER = 'x-hydra-hops'

/** Refuses a request in the words of its dialect. */
export function refuse(response: ServerResponse, path: string, message: string): void {
  const isAnthropic = /\/messages(?:\/count_tokens)?(?:\?|$)/.test(path)
  const isBehindGateway = response.req.headers[HOPS_HEADER] !== undefined
  const body = Buffer.from(JSON.stringify(isAnthropic ? anthropicError(message) : openaiError(message)))
  response.writeHead(isBehindGateway ? REFUSED_BEHIND_GATEWAY : REFUSED, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-should-retry': 'false',
  })
  response.end(body)
}

function anthropicError(message: string): object {
  return { type: 'error', error: { type: 'invalid_request_error', message } }
}

function openaiError(message: string): object {
  return { error: { message, type: 'invalid_request_error', param: null, code: 'not_on_tape' } }
}
