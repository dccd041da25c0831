/** An object of JSON. */
export type PlainObject = Readonly<Record<string, unknown>>

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text in a JSON value, and where it stands. */
export interface Leaf {
  readonly path: string
  readonly text: string
}

/** Every text in a JSON value with its path, in order. */
export function leavesOf(value: unknown, path: string = ''): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, path === '' ? key : `${path}.${key}`))
}
