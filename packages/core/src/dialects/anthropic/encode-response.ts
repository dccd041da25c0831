import type { HubResponse } from '../../hub/message.ts'

/** A whole answer as the client reads it; the hub's form is Anthropic's own. */
export function encodeResponse(message: HubResponse): HubResponse {
  return message
}
