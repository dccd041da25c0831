import type { ClientCall, HubRequest, RoutedParts, Caller } from '@hydra/core'
import { pickRoute, type Route } from './route.ts'

/** A request that is passed on although our decoder refuses it, as far as it is known. */
export interface UnreadRequest {
  readonly request: HubRequest
  readonly route: Route
  /** How many answers it asks for, if it says so. */
  readonly answers: number | undefined
}

/** What is there to find the route of such a request. */
export interface Unread {
  readonly caller: Pick<Caller, 'client'>
  readonly call: Pick<ClientCall, 'body' | 'params' | 'headers'>
  readonly bytes: number
  /** Whether a route lets requests through that are not read. */
  readonly mayPass: (route: Route) => boolean
}

/**
 * The route of a request that our decoder refuses and that goes on nevertheless: what is newer than this gateway is
 * for its upstream to judge. There is none if any route that comes first asks for something that cannot be told with certainty.
 */
export function passUnread(
  routes: readonly Route[],
  { caller, call, bytes, mayPass }: Unread,
): UnreadRequest | undefined {
  try {
    const parts = caller.client.routedParts(call)
    const route = pickRoute(routes, { request: parts, headers: call.headers, bytes })
    return mayPass(route) ? { request: requestOf(parts), route, answers: parts.answers } : undefined
  } catch {
    return undefined
  }
}

/** What the report says of it; its messages are left out, since their form is not known. */
function requestOf({ model, stream, max_tokens: most }: RoutedParts): HubRequest {
  return { model, stream: stream === true, ...(most !== undefined && { max_tokens: most }), messages: [] }
}
