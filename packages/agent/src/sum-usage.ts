import { type HubUsage, usageOf } from '@hydra/core'

/** What two messages cost together. */
export function sumUsage(one: HubUsage, other: HubUsage): HubUsage {
  return usageOf({
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_creation_input_tokens: sum(one.cache_creation_input_tokens, other.cache_creation_input_tokens),
    cache_read_input_tokens: sum(one.cache_read_input_tokens, other.cache_read_input_tokens),
  })
}

function sum(one: number | null, other: number | null): number {
  return (one ?? 0) + (other ?? 0)
}
