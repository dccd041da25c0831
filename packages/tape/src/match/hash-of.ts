import { createHash } from 'node:crypto'
import { canonicalJson } from '@hydra/core'

/** The hash of a value from JSON; the order of keys makes no difference. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
