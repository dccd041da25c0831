import type { EncodedRequest, UpstreamDialect } from '@hydra/core'
import type { Upstream } from '../options.ts'

type Addressed = Pick<Upstream, 'url'>
type Endpoint = Pick<EncodedRequest, 'path' | 'query'>

interface Base {
  readonly origin: string
  /** Without a slash at its end. */
  readonly path: string
  readonly query: string
}

/** An upstream is the same object for every call, and its base URL never changes. */
const known = new WeakMap<Addressed, Base>()

/** The address of an upstream's endpoint, from its base URL or from one that names the endpoint already. */
export function addressOf(
  upstream: Addressed,
  { path, query }: Endpoint,
  { baseVersion = '' }: Pick<UpstreamDialect, 'baseVersion'> = {},
): string {
  const base = baseOf(upstream)
  const version = hasVersion(base.path) ? '' : baseVersion
  const full = path !== '' && base.path.endsWith(path) ? base.path : base.path + version + path
  return withQuery(base.origin + (full || '/') + base.query, query)
}

/** An address with a query added to its own. */
export function withQuery(address: string, query: string): string {
  if (query === '') return address
  return address + (address.includes('?') ? '&' : '?') + query
}

function baseOf(upstream: Addressed): Base {
  const before = known.get(upstream)
  if (before !== undefined) return before
  const { origin, pathname, search } = new URL(upstream.url)
  const base = { origin, path: pathname.replace(/\/+$/, ''), query: search }
  known.set(upstream, base)
  return base
}

/** Whether a path ends with the version of an interface: `/v1`, `/v1beta`, `/api/v3`. */
function hasVersion(path: string): boolean {
  return /\/v\d+\w*$/.test(path)
}
