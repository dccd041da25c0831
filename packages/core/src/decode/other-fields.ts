import type { Notes } from '../hub/note.ts'
import { pathTo } from '../json/expect.ts'
import type { JsonObject } from '../json/json-object.ts'

/** Where an object is, and where it is noted what is not read of it. */
interface FieldsPlace {
  readonly path: string
  readonly notes: Notes
}

/** Notes the fields of an object that are not read; the same field of all elements of a list shares one note. */
export function noteOtherFields(
  object: JsonObject,
  read: ReadonlySet<string>,
  { path, notes }: FieldsPlace,
): void {
  // It is asked of every part of a history, and `for in` allocates nothing.
  for (const name in object) {
    if (read.has(name) || saysNothing(object[name])) continue
    const place = pathTo(path, name).replaceAll(/\[\d+\]/g, '[]')
    notes.add('field_ignored', place, 'the hub has no equivalent')
  }
}

function saysNothing(value: unknown): boolean {
  return (
    value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0)
  )
}
