import type { HubError } from '../hub/error.ts'
import { invalidRequest } from '../hub/error.ts'
import { isJsonObject } from './json-object.ts'
import type { JsonObject } from './json-object.ts'
import { MAX_JSON_DEPTH, nestsTooDeep } from './measure.ts'
import { typeName } from './type-name.ts'

const MAX_QUOTE = 40

/** The error of a value that is not what it has to be, named by its type. */
export function unexpected(path: string, wanted: string, value: unknown): HubError {
  return invalidRequest(path, `expected ${wanted}, got ${typeName(value)}`)
}

/** The error of a value that has the right type but is none of those allowed, quoted up to a sensible length. */
export function unexpectedValue(path: string, wanted: string, value: unknown): HubError {
  if (typeof value === 'number') return invalidRequest(path, `expected ${wanted}, got ${value}`)
  if (typeof value !== 'string') return unexpected(path, wanted, value)
  const shown = value.length > MAX_QUOTE ? `${value.slice(0, MAX_QUOTE)}…` : value
  return invalidRequest(path, `expected ${wanted}, got ${JSON.stringify(shown)}`)
}

/** The path of a field; fields of the body itself have no prefix. */
export function pathTo(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** Refuses a value that is not an object. */
export function expectObject(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return value
  throw unexpected(path, 'object', value)
}

/** Refuses a value that is not an array. */
export function expectArray(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw unexpected(path, 'array', value)
}

/** Refuses an object whose field is not a string. */
export function expectString(object: JsonObject, key: string, path: string): string {
  const value = object[key]
  if (typeof value === 'string') return value
  throw unexpected(pathTo(path, key), 'string', value)
}

/** Refuses an object whose field is not a string with something in it. */
export function expectText(object: JsonObject, key: string, path: string): string {
  const value = object[key]
  if (typeof value === 'string' && value !== '') return value
  throw unexpectedValue(pathTo(path, key), 'non-empty string', value)
}

/** Refuses an object whose field is there, not null, and of another type. */
export function expectOptional(
  object: JsonObject,
  key: string,
  { type, path }: { readonly type: 'string' | 'boolean'; readonly path: string },
): void {
  const value = object[key]
  if (value === undefined || value === null || typeof value === type) return
  throw unexpected(pathTo(path, key), type, value)
}

/** Refuses an object that nests deeper than `MAX_JSON_DEPTH`, so that serializing it cannot overflow the stack. */
export function expectShallowObject(value: unknown, path: string): JsonObject {
  const object = expectObject(value, path)
  if (!nestsTooDeep(object)) return object
  throw invalidRequest(path, `expected at most ${MAX_JSON_DEPTH} levels, got an object that nests deeper`)
}
