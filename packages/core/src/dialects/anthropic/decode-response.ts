import { HubError } from '../../hub/error.ts'
import type { HubResponse } from '../../hub/message.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { DecodeContext } from '../dialect.ts'
import { MessagesStreamDecoder, stopOf } from './decode-stream.ts'
import { decodeErrorPayload } from './error.ts'

/** Reads a whole Messages answer: the same blocks as in a stream, each complete from its start. */
export function decodeResponse(body: unknown, context: DecodeContext): void {
  const message = messageOf(body)
  const decoder = new MessagesStreamDecoder(context)
  for (const block of message.content) {
    decoder.start(block)
    context.writer.closeBlock()
  }
  decoder.finish(stopOf(message), message.usage)
}

function messageOf(body: unknown): HubResponse {
  if (!isJsonObject(body)) throw new HubError('api_error', 'anthropic: expected a message', { status: 502 })
  if (body['type'] === 'error') throw decodeErrorPayload(body)
  if (body['type'] === 'message' && Array.isArray(body['content'])) return body as unknown as HubResponse
  throw new HubError('api_error', 'anthropic: expected a message with content', { status: 502 })
}
