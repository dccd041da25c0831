import { isJsonObject } from '@hydra/core'
import type { IsOwn } from './third-party.ts'

/** Members that hold no prose: ids, an address of a standard, the bytes of an image, the line that is protocol. */
const NO_PROSE: ReadonlySet<string> = new Set([
  'metadata',
  'client_metadata',
  'id',
  'call_id',
  '$schema',
  'data',
])

/** Who answers, in the dialects whose clients are recorded. */
const MODEL: ReadonlySet<string> = new Set(['assistant', 'model'])

const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*/

/**
 * Every text in the body of a client's request that is not ours, wherever it is. Prose in a place that nobody has
 * thought of is not replaced, but it is found when these texts are searched for.
 */
export function everyText(value: unknown, isOwn: IsOwn): readonly string[] {
  if (typeof value === 'string') return isOwn(value) ? [] : [value.replace(BILLING_LINE, '')]
  if (Array.isArray(value)) return value.flatMap((item) => everyText(item, isOwn))
  // What the model said is on the tape as its answer.
  if (!isJsonObject(value) || MODEL.has(String(value['role']))) return []
  return Object.entries(value).flatMap(([name, inner]) => (NO_PROSE.has(name) ? [] : everyText(inner, isOwn)))
}
