import { COMMON_CALL_IDS } from '../../identity/call-ids.ts'
import type { ClientDialect, Dialect } from '../dialect.ts'
import { decodeCount, decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { encodeStream } from './encode-stream.ts'
import { answerHeaders, encodeCount, endpoints, newId, recalls, recognises } from './endpoints.ts'
import { decodeError, encodeError } from './error.ts'
import { outline } from './outline.ts'
import { defaultProfile } from './profile.ts'
import type { ResponsesReply } from './reply.ts'
import { routedParts } from './routed-parts.ts'
import { NAME } from './wire.ts'

const client: ClientDialect<ResponsesReply> = {
  endpoints,
  newId,
  callIds: COMMON_CALL_IDS,
  recognises,
  decodeRequest,
  encodeResponse,
  encodeStream,
  encodeError,
  answerHeaders,
  routedParts,
  decodeCount,
  encodeCount,
  recalls,
}

/** OpenAI's Responses API, which its newest models need to think while they use tools. */
export const openaiResponses = {
  name: NAME,
  client,
  upstream: {
    defaultProfile,
    keyHeader: 'authorization',
    encodeRequest,
    decodeResponse,
    decodeStream,
    decodeError,
    outline,
  },
} as const satisfies Dialect
