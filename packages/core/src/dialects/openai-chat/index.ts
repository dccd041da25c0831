import type { Dialect } from '../dialect.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { decodeError } from './error.ts'
import { outline } from './outline.ts'
import { defaultProfile } from './profile.ts'

/** OpenAI's Chat Completions, and the many servers that speak it after their own fashion. */
export const openaiChat = {
  name: 'openai-chat',
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
