import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { type Profile, profileFor } from '../profiles/profile.ts'
import type { EncodedRequest, RelayedRequest, Target } from './dialect.ts'
import { plainReply } from './plain-reply.ts'

/** The body of a request as it came; none if it is no object, so that nothing can be changed in it. */
export function relayedBody({ call: { body } }: RelayedRequest): JsonObject | undefined {
  return isJsonObject(body) ? body : undefined
}

/** A request whose answer the client reads itself: nothing has to find its way back. */
export function relayedRequest<P extends Profile>(
  { profile, model }: Target<P>,
  { path, body, notes = [] }: Pick<EncodedRequest, 'path' | 'body'> & Partial<Pick<EncodedRequest, 'notes'>>,
): EncodedRequest {
  return { path, query: '', headers: {}, body, notes, reply: plainReply(model, profileFor(profile, model)) }
}
