import { isLasting } from '../../memo/lasting.ts'
import type { ResponseEcho } from './reply.ts'

/** What was written of values that come again with the next requests. */
const known = new WeakMap<object, string>()

/**
 * What an answer repeats of its request, as it is written between the braces of an object. An agent has so many tools
 * that to write them costs more than the whole answer does, and they are the same each time.
 */
export function writtenEcho(echo: ResponseEcho): string {
  const fields = Object.entries(echo).filter(([, value]) => value !== undefined)
  return fields.map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`).join(',')
}

function written(value: unknown): string {
  if (typeof value !== 'object' || value === null || !isLasting(value)) return JSON.stringify(value)
  const before = known.get(value)
  if (before !== undefined) return before
  const json = JSON.stringify(value)
  known.set(value, json)
  return json
}
