import type { DecodeContext, StreamDecoder } from '../dialect.ts'

/** Creates the decoder of one stream of Responses events. */
export function decodeStream(_context: DecodeContext): StreamDecoder {
  throw new Error('openai-responses: streams are not decoded yet')
}
