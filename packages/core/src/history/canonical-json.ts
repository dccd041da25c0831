import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** A value as JSON in which the order of keys makes no difference. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isJsonObject(inner) ? sorted(inner) : inner)) ?? ''
}

function sorted(object: JsonObject): Record<string, unknown> {
  const entries = Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries)
}
