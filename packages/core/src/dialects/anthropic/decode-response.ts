import { HubError } from '../../hub/error.ts'
import type { HubResponse } from '../../hub/message.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { withField } from '../../json/with-field.ts'
import { WireFault } from '../../json/wire.ts'
import type { DecodeContext } from '../dialect.ts'
import { MessagesStreamDecoder } from './decode-stream.ts'
import { stopOf } from './stop-reason.ts'
import { decodeErrorPayload, isUntypedError } from './error.ts'

/** Reads a whole Messages answer: the same blocks as in a stream, each complete from its start. */
export function decodeResponse(body: unknown, context: DecodeContext): void {
  try {
    decodeMessage(messageOf(body), context)
  } catch (thrown) {
    if (!(thrown instanceof WireFault)) throw thrown
    throw new HubError('api_error', `anthropic: ${thrown.message}`, { status: 502, cause: thrown })
  }
}

function decodeMessage(message: HubResponse, context: DecodeContext): void {
  const decoder = new MessagesStreamDecoder(context)
  context.writer.answeredBy(message.model, message.id)
  for (const block of message.content) {
    decoder.start(block)
    decoder.stop()
  }
  const stop = stopOf({ ...message })
  // A message that came whole always says why it ended.
  if (stop.stop_reason === null) throw new WireFault('stop_reason', 'a reason', null)
  decoder.finish(stop, message.usage)
}

function messageOf(body: unknown): HubResponse {
  if (isUntypedError(undefined, body)) throw decodeErrorPayload(body)
  if (!isJsonObject(body)) throw new HubError('api_error', 'anthropic: expected a message', { status: 502 })
  if (body['type'] === 'error') throw decodeErrorPayload(body)
  // A list of nothing is null where a server is written in Go.
  const content = body['content'] === null ? [] : body['content']
  if (body['type'] === 'message' && Array.isArray(content)) {
    return withField(body, 'content', content) as unknown as HubResponse
  }
  throw new HubError('api_error', 'anthropic: expected a message with content', { status: 502 })
}
