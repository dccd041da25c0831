import type { JsonObject } from './json-object.ts'

/** What a field becomes; `undefined` leaves it out. */
type FieldChange<Context> = (key: string, item: unknown, context: Context) => unknown

/** Maps the fields of an object; the same object when none changed. The context saves a closure per object. */
export function changeFields<Context>(
  object: JsonObject,
  change: FieldChange<Context>,
  context: Context,
): JsonObject {
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    const item = object[key]
    const changed = change(key, item, context)
    if (changed !== item) copy ??= fieldsBefore(key, object)
    if (copy !== undefined && changed !== undefined) setField(copy, key, changed)
  }
  return copy ?? object
}

function fieldsBefore(end: string, object: JsonObject): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key in object) {
    if (key === end) break
    setField(copy, key, object[key])
  }
  return copy
}

/** A plain assignment would set the prototype for one name that JSON allows. */
function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}
