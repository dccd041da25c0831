import type { Usage } from '@anthropic-ai/sdk/resources/messages/messages'

/** Token counts as Anthropic reports them: `input_tokens` is without what was read from or written to a cache. */
export type HubUsage = Usage

/** Usage with every field present, so that no client meets `undefined`. */
export function usageOf(counts: Partial<HubUsage>): HubUsage {
  return {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: null,
    speed: null,
    ...counts,
  }
}

/** The tokens of a usage as providers other than Anthropic count them: the input with what a cache has of it. */
interface TotalUsage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWritten: number
  readonly output: number
  /** The part of the output that is thinking. */
  readonly thinking: number
}

/** Counts the whole input of a usage. */
export function totalUsage(usage: HubUsage): TotalUsage {
  const cacheRead = usage.cache_read_input_tokens ?? 0
  const cacheWritten = usage.cache_creation_input_tokens ?? 0
  return {
    input: usage.input_tokens + cacheRead + cacheWritten,
    cacheRead,
    cacheWritten,
    output: usage.output_tokens,
    thinking: usage.output_tokens_details?.thinking_tokens ?? 0,
  }
}
