import { isJsonObject } from '@hydra/core'

/** An object of JSON. */
export type PlainObject = Readonly<Record<string, unknown>>

/** A text in a JSON value, and where it is. */
export interface Leaf {
  readonly path: string
  readonly text: string
}

/** Every text in a JSON value with its path, in order. */
export function leavesOf(value: unknown, path: string = ''): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, path === '' ? key : `${path}.${key}`))
}
