import { createHash } from 'node:crypto'
import { isRecord } from './first-difference.ts'

/** The hash of a value from JSON; the order of keys makes no difference. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex')
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
