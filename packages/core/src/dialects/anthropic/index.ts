import type { Dialect } from '../dialect.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { outline } from './outline.ts'

/** Anthropic's Messages: the hub itself, so its translators check and pass on. */
export const anthropic: Required<Dialect> = {
  name: 'anthropic',
  client: { decodeRequest, encodeResponse, encodeStream, encodeError },
  upstream: { encodeRequest, decodeResponse, decodeStream, decodeError, outline },
}
