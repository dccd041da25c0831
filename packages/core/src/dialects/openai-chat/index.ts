import { COMMON_CALL_IDS } from '../../identity/call-ids.ts'
import type { Dialect } from '../dialect.ts'
import { decodeRequest, recalls } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeError } from './encode-error.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { encodeStream } from './encode-stream.ts'
import { answerHeaders, encodeModel, encodeModels, endpoints, newId, recognises } from './endpoints.ts'
import { decodeError } from './error.ts'
import { outline } from './outline.ts'
import { routedParts } from './routed-parts.ts'
import { defaultProfile } from './profile.ts'

/** OpenAI's Chat Completions, and the many servers that speak it after their own fashion. */
export const openaiChat = {
  name: 'openai-chat',
  client: {
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
    encodeModels,
    encodeModel,
    recalls,
  },
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
