import { HubError } from '../../hub/error.ts'
import { objectAt, WireFault, type WireObject } from '../../json/wire.ts'
import { ResponsesStreamDecoder } from './decode-stream.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import type { ResponsesContext } from './profile.ts'

/** Reads an answer that came in one body: it is what the last event of a stream would say, so both have one meaning. */
export function decodeResponse(body: unknown, context: ResponsesContext): void {
  try {
    new ResponsesStreamDecoder(context).conclude(responseOf(body))
  } catch (thrown) {
    if (!(thrown instanceof WireFault)) throw thrown
    throw new HubError('api_error', `openai-responses: ${thrown.message}`, { status: 502, cause: thrown })
  }
}

function responseOf(body: unknown): WireObject {
  const isResponse = typeof body === 'object' && body !== null && 'output' in body
  if (!isResponse && isErrorPayload(body)) throw decodeErrorPayload(body)
  const response = objectAt(body, 'the answer')
  if (!Array.isArray(response?.['output'])) throw new WireFault('output', 'an array', response?.['output'])
  return response
}
