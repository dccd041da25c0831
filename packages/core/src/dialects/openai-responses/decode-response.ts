import { isJsonObject } from '../../json/json-object.ts'
import { locatedFault, objectAt, WireFault, type WireObject } from '../../json/wire.ts'
import { ResponsesStreamDecoder } from './decode-stream.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import type { ResponsesContext } from './profile.ts'
import { NAME } from './wire.ts'

/** Reads an answer that came in one body: it is what the last event of a stream would say, so both have one meaning. */
export function decodeResponse(body: unknown, context: ResponsesContext): void {
  try {
    new ResponsesStreamDecoder(context).conclude(responseOf(body))
  } catch (thrown) {
    throw locatedFault(thrown, NAME)
  }
}

function responseOf(body: unknown): WireObject {
  const isResponse = isJsonObject(body) && 'output' in body
  if (!isResponse && isErrorPayload(body)) throw decodeErrorPayload(body)
  const response = objectAt(body, 'the answer')
  if (!Array.isArray(response?.['output'])) throw new WireFault('output', 'an array', response?.['output'])
  return response
}
