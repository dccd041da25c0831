import type { HubResponse } from '../../hub/message.ts'
import { unfold } from '../../stream/unfold.ts'
import { ResponseEncoder } from './encode-stream.ts'
import { NoEvents } from './event-output.ts'
import type { ResponsesReply } from './reply.ts'

/** A whole answer: what the last event of its stream would say. */
export function encodeResponse(message: HubResponse, reply: ResponsesReply): unknown {
  const encoder = new ResponseEncoder(reply, new NoEvents())
  unfold(message, encoder)
  return encoder.response
}
