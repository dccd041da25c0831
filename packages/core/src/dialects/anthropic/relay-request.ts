import type { EncodedRequest, RelayedRequest, Target } from '../dialect.ts'
import { nameOf } from '../placed-tools.ts'
import { relayedBody, relayedRequest } from '../relayed-body.ts'
import { encodeRequest, headersFor } from './encode-request.ts'
import type { AnthropicProfile } from './profile.ts'

/**
 * A Messages request for a server that speaks Messages. The hub has the same form, so a request that was read keeps
 * everything, but for what the target's model refuses; one that was not goes out with another model and no other change.
 */
export function relayRequest(
  relayed: RelayedRequest,
  target: Target<AnthropicProfile>,
): EncodedRequest | undefined {
  const body = relayedBody(relayed)
  if (body === undefined) return undefined
  const { request } = relayed
  if (request === undefined) {
    const unread = relayedRequest(target, { path: '/messages', body: { ...body, model: target.model } })
    return { ...unread, headers: headersFor(target.headers ?? {}) }
  }
  const encoded = encodeRequest(request, target)
  const { names, ownStopSequences } = encoded.reply
  const isRenamed = request.tools?.some(
    (tool) => nameOf(tool) !== '' && names.toWire(nameOf(tool)) !== nameOf(tool),
  )
  // The client would not know its tools again, and would get more than it wants.
  return isRenamed === true || ownStopSequences.length > 0 ? undefined : encoded
}
