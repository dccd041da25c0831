import { COMMON_CALL_IDS } from '../../identity/call-ids.ts'
import type { Dialect } from '../dialect.ts'
import { decodeRequest, recalls } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeError } from './encode-error.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { encodeStream, STREAM_END } from './encode-stream.ts'
import { limitHeaders } from '../../errors/limit-headers.ts'
import { answerHeaders, encodeModel, encodeModels, endpoints, newId, recognises } from './endpoints.ts'
import { decodeError } from './error.ts'
import { outline } from './outline.ts'
import { relayRequest } from './relay-request.ts'
import { instructionPlaces } from '../repeated-places.ts'
import { routedParts } from './routed-parts.ts'
import { fastTextBody } from '../../fast-text/fast-text-body.ts'
import { defaultProfile } from './profile.ts'
import { NAME } from './wire.ts'

/** OpenAI's Chat Completions, and the many servers that speak it after their own fashion. */
export const openaiChat = {
  name: NAME,
  client: {
    endpoints,
    newId,
    callIds: COMMON_CALL_IDS,
    repeats: { tools: 'tools', instructions: (body) => instructionPlaces(body, 'messages') },
    recognises,
    decodeRequest,
    encodeResponse,
    encodeStream,
    encodeError,
    streamEnd: STREAM_END,
    answerHeaders,
    limitHeaders,
    routedParts,
    encodeModels,
    encodeModel,
    recalls,
  },
  upstream: {
    defaultProfile,
    keyHeader: 'authorization',
    encodeRequest,
    relayRequest,
    decodeResponse,
    decodeStream,
    decodeBody: fastTextBody,
    decodeError,
    outline,
  },
} as const satisfies Dialect
