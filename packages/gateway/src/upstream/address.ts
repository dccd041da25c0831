import type { Upstream } from '../options.ts'

const PATH_OF_DIALECT: Readonly<Record<Upstream['dialect'], string>> = {
  'openai-chat': '/chat/completions',
  anthropic: '/v1/messages',
  // Which operation is meant stands in a header.
  'amazon-q': '',
}

/** An address with a request's query added to its own. */
export function withQuery(address: string, query: string): string {
  return address.includes('?') && query !== '' ? `${address}&${query.slice(1)}` : address + query
}

type Addressed = Pick<Upstream, 'dialect' | 'url'>

/** An upstream is the same object for every call, and its address never changes. */
const known = new WeakMap<Addressed, string>()

/** The address of an upstream's endpoint, from its base URL or from the full one. */
export function addressOf(upstream: Addressed): string {
  const address = known.get(upstream)
  if (address !== undefined) return address
  const found = addressFrom(upstream)
  known.set(upstream, found)
  return found
}

function addressFrom({ dialect, url }: Addressed): string {
  const address = new URL(url)
  const path = PATH_OF_DIALECT[dialect]
  const base = address.pathname.replace(/\/+$/, '')
  if (base.endsWith(path)) return address.href
  // Anthropic's base URL is usually written without its version.
  address.pathname = base.endsWith('/v1') && path.startsWith('/v1') ? base + path.slice(3) : base + path
  return address.href
}
