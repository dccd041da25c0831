import type { Via } from '@hydra/tape'
import { isObject, textOf } from '../show/json-text.ts'

/** Where on a tape a captured request belongs. */
export interface Place {
  readonly leg: 'client' | 'upstream'
  readonly path: string
  readonly via?: Via
}

/**
 * Says where a request belongs by its address. A capture between a client and a provider is one leg only: a Messages
 * request is what a client of the proxy would have said, a Chat Completions request what an upstream would have heard.
 * Anything else is none of a tape's business.
 */
export function whichLeg(address: string, body: unknown): Place | { readonly reason: string } {
  const url = URL.parse(address)
  if (url === null) return { reason: 'its address is no URL' }
  const path = url.pathname + url.search
  if (/\/messages(?:\/count_tokens)?\/?$/.test(url.pathname)) return { leg: 'client', path }
  if (!/\/chat\/completions\/?$/.test(url.pathname)) {
    // The query may hold a key, so that it is not repeated.
    return { reason: `${url.host}${url.pathname} is neither Messages nor Chat Completions` }
  }
  const model = isObject(body) ? textOf(body['model']) : undefined
  const via: Via = { upstream: url.host, dialect: 'openai-chat', ...(model !== undefined && { model }) }
  return { leg: 'upstream', path, via }
}
