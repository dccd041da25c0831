import { limitHeaders } from '../../errors/limit-headers.ts'
import { fastTextBody } from '../../fast-text/fast-text-body.ts'
import { COMMON_CALL_IDS } from '../../identity/call-ids.ts'
import type { ClientDialect, Dialect } from '../dialect.ts'
import { decodeCount, decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { encodeStream } from './encode-stream.ts'
import {
  answerHeaders,
  encodeCount,
  encodeModels,
  endpoints,
  newId,
  recalls,
  recognises,
} from './endpoints.ts'
import { decodeError, encodeError } from './error.ts'
import { failRelayed } from './fail-relayed.ts'
import { keepRelayed } from './keep-relayed.ts'
import { outline } from './outline.ts'
import { defaultProfile } from './profile.ts'
import type { ResponsesReply } from './reply.ts'
import { relayRequest } from './relay-request.ts'
import { instructionPlaces, textPlaces } from '../repeated-places.ts'
import { routedParts } from './routed-parts.ts'
import { NAME } from './wire.ts'

const client: ClientDialect<ResponsesReply> = {
  endpoints,
  newId,
  callIds: COMMON_CALL_IDS,
  repeats: {
    tools: 'tools',
    instructions: (body) => [...textPlaces(body, 'instructions'), ...instructionPlaces(body, 'input')],
  },
  recognises,
  decodeRequest,
  encodeResponse,
  encodeStream,
  encodeError,
  answerHeaders,
  limitHeaders,
  routedParts,
  decodeCount,
  encodeCount,
  encodeModels,
  recalls,
  keepRelayed,
  failRelayed,
}

/** OpenAI's Responses API, which its newest models need to think while they use tools. */
export const openaiResponses = {
  name: NAME,
  client,
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
