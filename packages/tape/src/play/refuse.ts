import type { ServerResponse } from 'node:http'

/**
 * The status of a request that cannot be answered: one that no provider uses and no client tries again. From 500 up
 * the SDKs try again; after 400 and 422 Claude Code leaves out one thing after the other, and after 404 it speaks of
 * the model only. All of them would hide the cause.
 */
const REFUSED = 418

/** Refuses a request in the words of its dialect. */
export function refuse(response: ServerResponse, route: string, message: string): void {
  const isAnthropic = /\/messages(?:\/count_tokens)?$/.test(route)
  const body = Buffer.from(JSON.stringify(isAnthropic ? anthropicError(message) : openaiError(message)))
  response.writeHead(REFUSED, {
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
