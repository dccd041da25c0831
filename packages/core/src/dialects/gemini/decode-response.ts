import { HubError } from '../../hub/error.ts'
import { objectAt, WireFault } from '../../json/wire.ts'
import type { DecodeContext } from '../dialect.ts'
import { GeminiStreamDecoder } from './decode-stream.ts'

/** Reads an answer that came in one body: it is a stream of one piece, so both have one meaning. */
export function decodeResponse(body: unknown, context: DecodeContext): void {
  const decoder = new GeminiStreamDecoder(context)
  try {
    const answer = objectAt(body, 'the answer')
    if (answer === undefined) throw new WireFault('the answer', 'an object', body)
    decoder.chunk(answer)
    decoder.conclude()
  } catch (thrown) {
    if (!(thrown instanceof WireFault)) throw thrown
    throw new HubError('api_error', `gemini: ${thrown.message}`, { status: 502, cause: thrown })
  }
}
