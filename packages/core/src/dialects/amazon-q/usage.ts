import { type HubUsage, usageOf } from '../../hub/usage.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** The usage in a `tokenUsage`, or nothing if it does not count both sides. */
export function decodeUsage(usage: JsonObject): HubUsage | undefined {
  const input = count(usage['uncachedInputTokens'])
  const output = count(usage['outputTokens'])
  if (input === undefined || output === undefined) return undefined
  return usageOf({
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: count(usage['cacheReadInputTokens']) ?? 0,
    cache_creation_input_tokens: count(usage['cacheWriteInputTokens']) ?? 0,
  })
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
