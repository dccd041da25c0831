import type { Dialect } from '../dialect.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { decodeError } from './error.ts'
import { outline } from './outline.ts'
import { NAME } from './wire.ts'

/** OpenAI's Responses API, which its newest models need to think while they use tools. */
export const openaiResponses = {
  name: NAME,
  upstream: { keyHeader: 'authorization', encodeRequest, decodeResponse, decodeStream, decodeError, outline },
} as const satisfies Dialect
