/**
 * A value as providers really send it: any field may be missing, null or of another type than its maker
 * documents, so everything is `unknown` until it was looked at.
 */
export type WireObject = Readonly<Record<string, unknown>>

/** A value of a type that no provider may send, with its place. */
export class WireFault extends Error {
  override readonly name = 'WireFault'

  constructor(path: string, expected: string, value: unknown) {
    super(`expected ${path} to be ${expected}, got ${typeNameOf(value)}`)
  }
}

/** A JSON object, or `undefined` for null and missing values; anything else is a fault. */
export function objectAt(value: unknown, path: string): WireObject | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw new WireFault(path, 'an object', value)
  return value as WireObject
}

/** The elements of an array, none for null and missing values; anything else is a fault. */
export function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new WireFault(path, 'an array', value)
  return value
}

/** A string, '' for null and missing values; anything else is a fault. */
export function textAt(value: unknown, path: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new WireFault(path, 'a string', value)
  return value
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
