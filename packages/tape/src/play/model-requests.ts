import { askedEndpoint } from '../match/asked-endpoint.ts'
import { routeOf } from '../match/canonical-request.ts'
import type { Recording } from './recording.ts'

/** Which requests of a program are for a tape. */
export interface ModelRequestOptions {
  /**
   * Only requests to addresses that begin so, and all of those. By default these are requests for the endpoints of
   * models, at any address.
   */
  readonly url?: string | readonly string[]
}

/** A request, as far as it matters here. */
export type SentRequest = Pick<Request, 'method' | 'url'>

/** Whether a request is for the tape; what else a program asks for is no business of it. */
export function modelRequests(
  { url }: ModelRequestOptions,
  recordings: readonly Recording[] = [],
): (request: SentRequest) => boolean {
  if (url !== undefined) {
    const beginnings = [url].flat().map((typed) => new URL(typed).href)
    return (request) => beginnings.some((beginning) => request.url.startsWith(beginning))
  }
  const routes = new Set(recordings.map(({ request }) => routeOf(request)))
  return (request) => {
    const path = new URL(request.url).pathname
    const purpose = askedEndpoint(path)?.endpoint.purpose
    if (purpose === 'generate' || purpose === 'count') return request.method === 'POST'
    return routes.has(routeOf({ method: request.method, path }))
  }
}
