import { isQueryKey } from '@hydra/core'

export { withoutQueryKeys as withoutKeys } from '@hydra/core'

/** The fields of a query without keys; the last of several values counts. */
export function queryOf(query: string): Readonly<Record<string, string>> {
  if (query === '') return {}
  return Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => !isQueryKey(name)))
}

/** Each of them is hashed, looked up and taken out of errors; clients have one. */
const MAX_KEYS = 4

/** The keys that a query carries, the first ones of too many. */
export function keysInQuery(query: string): string[] {
  if (query === '') return []
  const keys = [...new URLSearchParams(query)].filter(([name]) => isQueryKey(name)).map(([, key]) => key)
  return keys.slice(0, MAX_KEYS)
}
