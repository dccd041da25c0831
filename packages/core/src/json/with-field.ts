import type { JsonObject } from './json-object.ts'

/** The object with one field changed, or without it for `undefined`; the same object when nothing changes. */
export function withField(object: JsonObject, key: string, value: unknown): JsonObject {
  if (object[key] === value) return object
  if (value !== undefined) return { ...object, [key]: value }
  const { [key]: _dropped, ...rest } = object
  return rest
}
