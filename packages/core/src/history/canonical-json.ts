/** A value as JSON in which the order of keys makes no difference. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isObject(inner) ? sorted(inner) : inner)) ?? ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries)
}
