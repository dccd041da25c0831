import { type HubUsage, usageOf } from '../../hub/usage.ts'
import { countAt, type WireObject } from '../../json/wire.ts'
import type { GeminiUsage } from './wire.ts'

/** Keeps the last usage that an upstream reported: the counts of a stream do not always grow. */
export class UsageTally {
  #last: WireObject | undefined
  #searches = 0

  /** Whether the upstream has counted its prompt. */
  get complete(): boolean {
    return countAt(this.#last?.['promptTokenCount']) !== undefined
  }

  /** Takes in a `usageMetadata` object; one without a count of the prompt says nothing. */
  read(usage: WireObject): void {
    if (countAt(usage['promptTokenCount']) !== undefined) this.#last = usage
  }

  /** How often Google has searched for this answer. */
  searched(times: number): void {
    this.#searches = Math.max(this.#searches, times)
  }

  /** The usage for the client; an estimate takes the place of what the upstream never reported. */
  result(estimate: () => HubUsage): HubUsage {
    const usage = this.#last
    if (usage === undefined) return estimate()
    const cached = countAt(usage['cachedContentTokenCount']) ?? 0
    const prompt =
      (countAt(usage['promptTokenCount']) ?? 0) + (countAt(usage['toolUsePromptTokenCount']) ?? 0)
    const thinking = countAt(usage['thoughtsTokenCount']) ?? 0
    return usageOf({
      input_tokens: Math.max(0, prompt - cached),
      cache_read_input_tokens: cached,
      output_tokens: (countAt(usage['candidatesTokenCount']) ?? 0) + thinking,
      output_tokens_details: thinking > 0 ? { thinking_tokens: thinking } : null,
      server_tool_use:
        this.#searches > 0 ? { web_search_requests: this.#searches, web_fetch_requests: 0 } : null,
    })
  }
}

/** What an answer cost, as a Gemini client counts it: the prompt with its cached part, the answer without thoughts. */
export function encodeUsage(usage: HubUsage): GeminiUsage {
  const cached = usage.cache_read_input_tokens ?? 0
  const prompt = usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + cached
  const thoughts = Math.min(usage.output_tokens, usage.output_tokens_details?.thinking_tokens ?? 0)
  return {
    promptTokenCount: prompt,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    candidatesTokenCount: usage.output_tokens - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + usage.output_tokens,
  }
}
