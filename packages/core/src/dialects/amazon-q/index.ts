import type { Dialect } from '../dialect.ts'
import { decodeBody } from './decode-body.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { decodeError } from './error.ts'
import { outline } from './outline.ts'
import { defaultProfile } from './profile.ts'
import { NAME } from './wire.ts'

/** The dialect of strict turns: Amazon Q's GenerateAssistantResponse, as its public client knows it. */
export const amazonQ = {
  name: NAME,
  upstream: {
    defaultProfile,
    keyHeader: 'authorization',
    encodeRequest,
    decodeResponse,
    decodeStream,
    decodeBody,
    decodeError,
    outline,
  },
} as const satisfies Dialect
