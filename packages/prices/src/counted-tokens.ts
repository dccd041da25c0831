import type { HubUsage } from '@hydra/core'

/** The tokens of a usage by what is paid for them: no token is in two of these, except that reasoning is in the output. */
export interface CountedTokens {
  /** Neither read from a cache nor written to one. */
  readonly plain: number
  readonly cacheRead: number
  /** Written to a cache that is kept for five minutes, or as long as the provider likes. */
  readonly cacheWrite: number
  /** Written to a cache that is kept for an hour. */
  readonly cacheWrite1h: number
  readonly output: number
  /** The part of the output that is reasoning. */
  readonly reasoning: number
  readonly webSearches: number
}

/** Sorts the tokens of a usage by their price. */
export function countedTokens(usage: HubUsage): CountedTokens {
  const written = usage.cache_creation_input_tokens ?? 0
  const hour = Math.min(written, usage.cache_creation?.ephemeral_1h_input_tokens ?? 0)
  return {
    plain: usage.input_tokens,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite: written - hour,
    cacheWrite1h: hour,
    output: usage.output_tokens,
    reasoning: Math.min(usage.output_tokens, usage.output_tokens_details?.thinking_tokens ?? 0),
    webSearches: usage.server_tool_use?.web_search_requests ?? 0,
  }
}

/** The same tokens, had there been no cache. */
export function uncached(tokens: CountedTokens): CountedTokens {
  const { plain, cacheRead, cacheWrite, cacheWrite1h } = tokens
  return {
    ...tokens,
    plain: plain + cacheRead + cacheWrite + cacheWrite1h,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWrite1h: 0,
  }
}
