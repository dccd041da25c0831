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
