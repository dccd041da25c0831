import type { ClientCall, HubRequest, RoutedParts, Caller } from '@hydra/core'
import { pickRoute, type Route } from './route.ts'

/** A request that is passed on although our decoder refuses it, as far as it is known. */
export interface UnreadRequest {
  readonly request: HubRequest
  readonly route: Route
}

/** What is there to find the route of such a request. */
export interface Unread {
  readonly caller: Pick<Caller, 'client'>
  readonly call: Pick<ClientCall, 'body' | 'params' | 'headers'>
  readonly bytes: number
}

/**
 * The passthrough route of a request that our decoder refuses: what is newer than this gateway is for its upstream
 * to judge. There is none if any route that comes first asks for something that cannot be told with certainty.
 */
export function passUnread(
  routes: readonly Route[],
  { caller, call, bytes }: Unread,
): UnreadRequest | undefined {
  try {
    const parts = caller.client.routedParts(call)
    const route = pickRoute(routes, { request: parts, headers: call.headers, bytes })
    return route.passthrough ? { request: requestOf(parts), route } : undefined
  } catch {
    return undefined
  }
}

/** What the report says of it; its messages are nobody's business here, since their form is not known. */
function requestOf({ model, stream }: RoutedParts): HubRequest {
  return { model, stream: stream === true, messages: [] }
}
