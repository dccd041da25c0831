/** The names under which a query may carry a key; none of these is ever passed on or written down. */
const KEY_NAMES: ReadonlySet<string> = new Set(['key', 'api_key', 'api-key', 'access_token'])

/** The fields of a query; the last of several values counts. */
export function queryOf(query: string): Readonly<Record<string, string>> {
  if (query === '') return {}
  return Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => !KEY_NAMES.has(name)))
}

/** The keys that a query carries. */
export function keysInQuery(query: string): string[] {
  if (query === '') return []
  return [...new URLSearchParams(query)].filter(([name]) => KEY_NAMES.has(name)).map(([, key]) => key)
}

/** A query as it came, with its question mark, but without keys. */
export function withoutKeys(query: string): string {
  if (keysInQuery(query).length === 0) return query
  const kept = query
    .slice(1)
    .split('&')
    .filter((field) => !KEY_NAMES.has(nameOf(field)))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** The name of a field of a query, whatever way it is escaped. */
function nameOf(field: string): string {
  return [...new URLSearchParams(field).keys()][0] ?? ''
}
