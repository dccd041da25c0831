/** The names under which a query may carry a key; none of these is ever passed on or written down. */
const KEY_NAMES: ReadonlySet<string> = new Set(['key', 'api_key', 'api-key', 'access_token'])

/** Whether a field of a query carries a key. */
export function isQueryKey(name: string): boolean {
  return KEY_NAMES.has(name)
}

/** A path or a query as it came, but without the keys behind its question mark. */
export function withoutQueryKeys(path: string): string {
  const start = path.indexOf('?')
  if (start === -1) return path
  const fields = path.slice(start + 1).split('&')
  const kept = fields.filter((field) => !KEY_NAMES.has(nameOf(field)))
  if (kept.length === fields.length) return path
  return path.slice(0, start) + (kept.length === 0 ? '' : `?${kept.join('&')}`)
}

/** The name of a field of a query, whatever way it is escaped. */
function nameOf(field: string): string {
  return [...new URLSearchParams(field).keys()][0] ?? ''
}
