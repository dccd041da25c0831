import { COMMON_CALL_IDS } from '../../identity/call-ids.ts'
import type { ClientDialect, Dialect } from '../dialect.ts'
import { decodeBody } from './decode-body.ts'
import { decodeCount, decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { encodeStream } from './encode-stream.ts'
import {
  answerHeaders,
  encodeCount,
  encodeModel,
  encodeModels,
  endpoints,
  newId,
  recognises,
} from './endpoints.ts'
import { decodeError, encodeError } from './error.ts'
import { outline } from './outline.ts'
import { defaultProfile } from './profile.ts'
import { relayRequest } from './relay-request.ts'
import type { GeminiReply } from './reply.ts'
import { textPlaces } from '../repeated-places.ts'
import { routedParts } from './routed-parts.ts'
import { NAME } from './wire.ts'

const client: ClientDialect<GeminiReply> = {
  endpoints,
  newId,
  callIds: COMMON_CALL_IDS,
  repeats: {
    tools: 'tools',
    instructions: (body) => [
      ...textPlaces(body, 'systemInstruction'),
      ...textPlaces(body, 'system_instruction'),
    ],
  },
  takesClosingProof: true,
  recognises,
  decodeRequest,
  encodeResponse,
  encodeStream,
  encodeError,
  answerHeaders,
  routedParts,
  decodeCount,
  encodeCount,
  encodeModels,
  encodeModel,
}

/** Google's generateContent, as the Gemini API and Vertex speak it. */
export const gemini = {
  name: NAME,
  client,
  upstream: {
    defaultProfile,
    keyHeader: 'x-goog-api-key',
    baseVersion: '/v1beta',
    encodeRequest,
    relayRequest,
    decodeResponse,
    decodeStream,
    decodeBody,
    decodeError,
    outline,
  },
} as const satisfies Dialect
