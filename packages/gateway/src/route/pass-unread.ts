import type { HubRequest } from '@hydra/core'
import type { RequestHeaders } from '../exchange/exchange.ts'
import { RequestOutline } from './request-outline.ts'
import { pickRoute, type Route } from './route.ts'

/** A request that is passed on although our decoder refuses it, as far as it is known. */
export interface UnreadRequest {
  readonly request: HubRequest
  readonly route: Route
}

/** What is there to find the route of such a request. */
export interface Unread {
  readonly value: unknown
  readonly headers: RequestHeaders
  readonly bytes: number
}

/**
 * The passthrough route of a request that our decoder refuses: what is newer than this gateway is for its upstream
 * to judge. There is none if any route that comes first asks for something that cannot be told with certainty.
 */
export function passUnread(
  routes: readonly Route[],
  { value, headers, bytes }: Unread,
): UnreadRequest | undefined {
  try {
    const outline = new RequestOutline(value)
    const route = pickRoute(routes, { request: outline, headers, bytes })
    return route.passthrough ? { request: requestOf(outline.model, value), route } : undefined
  } catch {
    return undefined
  }
}

/** What the report says of it; its messages are nobody's business here, since their form is not known. */
function requestOf(model: string, value: unknown): HubRequest {
  const { stream } = value as { stream?: unknown }
  return { model, stream: stream === true, max_tokens: 0, messages: [] }
}
