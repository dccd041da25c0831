import { type HubUsage, usageOf } from '../../hub/usage.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { countAt } from '../../json/wire.ts'

/** The usage in a `tokenUsage`, or nothing if it does not count both sides. */
export function decodeUsage(usage: JsonObject): HubUsage | undefined {
  const input = countAt(usage['uncachedInputTokens'])
  const output = countAt(usage['outputTokens'])
  if (input === undefined || output === undefined) return undefined
  return usageOf({
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: countAt(usage['cacheReadInputTokens']) ?? 0,
    cache_creation_input_tokens: countAt(usage['cacheWriteInputTokens']) ?? 0,
  })
}
