import { isRecord } from '@hydra/tape'
import type { IsOwn } from './third-party.ts'

/** Members that hold no prose: ids, an address of a standard, the bytes of an image, the line that is protocol. */
const NO_PROSE: ReadonlySet<string> = new Set(['metadata', '$schema', 'data'])

const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*/

/**
 * Every text in the body of a client's request that is not ours, wherever it stands. Prose in a place that nobody has
 * thought of is not replaced, but it is found by whoever looks for these texts.
 */
export function everyText(value: unknown, isOwn: IsOwn): readonly string[] {
  if (typeof value === 'string') return isOwn(value) ? [] : [value.replace(BILLING_LINE, '')]
  if (Array.isArray(value)) return value.flatMap((item) => everyText(item, isOwn))
  // What the model said is on the tape as its answer.
  if (!isRecord(value) || value['role'] === 'assistant') return []
  return Object.entries(value).flatMap(([name, inner]) => (NO_PROSE.has(name) ? [] : everyText(inner, isOwn)))
}
