import { registry, withoutQueryKeys } from '@hydra/core'
import { askedEndpoint, type AskedEndpoint, type Via } from '@hydra/tape'

/** Where on a tape a captured request belongs. */
export interface Place {
  readonly leg: 'client' | 'upstream'
  readonly path: string
  readonly via?: Via
}

/**
 * Says where a request belongs by its address. A capture between a client and a provider is one leg only. What is in
 * the hub's own dialect can be played to any upstream, so it is what a client of the proxy would have said; a request
 * in another dialect is what an upstream would have received. Anything else does not belong on a tape.
 */
export function whichLeg(address: string, body: unknown): Place | { readonly reason: string } {
  const url = URL.parse(address)
  if (url === null) return { reason: 'its address is no URL' }
  const path = withoutQueryKeys(url.pathname + url.search)
  const asked = askedEndpoint(url.pathname.replace(/\/$/, ''))
  const [first] = registry.clients
  if (asked?.dialect === first?.name && isAsked(asked, ['generate', 'count'])) return { leg: 'client', path }
  if (asked === undefined || !isAsked(asked, ['generate'])) {
    // The query may hold a key, so that it is not repeated.
    return { reason: `${url.host}${url.pathname} asks for no answer in any dialect that is known` }
  }
  const model = modelOf(asked, body)
  const via: Via = { upstream: url.host, dialect: asked.dialect, ...(model !== undefined && { model }) }
  return { leg: 'upstream', path, via }
}

/** The model, in the body or in the path, as the dialect says it. */
function modelOf({ client, params }: AskedEndpoint, body: unknown): string | undefined {
  try {
    return client.routedParts({ body, params }).model
  } catch {
    return undefined
  }
}

function isAsked(
  asked: AskedEndpoint | undefined,
  purposes: readonly AskedEndpoint['endpoint']['purpose'][],
): boolean {
  return asked !== undefined && purposes.includes(asked.endpoint.purpose)
}
