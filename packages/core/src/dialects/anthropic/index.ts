import { fastTextBody } from '../../fast-text/fast-text-body.ts'
import { COMMON_CALL_IDS } from '../../identity/call-ids.ts'
import type { Dialect } from '../dialect.ts'
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
  limitHeaders,
  newId,
  recognises,
} from './endpoints.ts'
import { decodeError, encodeError } from './error.ts'
import { outline } from './outline.ts'
import { defaultProfile } from './profile.ts'
import { relayRequest } from './relay-request.ts'
import { textPlaces } from '../repeated-places.ts'
import { routedParts } from './routed-parts.ts'

/** Anthropic's Messages: the hub itself, so its translators check and pass on. */
export const anthropic = {
  name: 'anthropic',
  client: {
    endpoints,
    newId,
    callIds: COMMON_CALL_IDS,
    marksCaches: true,
    repeats: { tools: 'tools', instructions: (body) => textPlaces(body, 'system') },
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
    encodeModel,
  },
  upstream: {
    defaultProfile,
    keyHeader: 'x-api-key',
    baseVersion: '/v1',
    encodeRequest,
    relayRequest,
    decodeResponse,
    decodeStream,
    decodeBody: fastTextBody,
    decodeError,
    outline,
  },
} as const satisfies Dialect
