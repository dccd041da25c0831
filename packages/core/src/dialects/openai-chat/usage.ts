import { isJsonObject } from '../../json/json-object.ts'
import { type HubUsage, totalUsage, usageOf } from '../../hub/usage.ts'
import { countAt, type WireObject } from '../../json/wire.ts'
import type { ChatUsage } from './wire.ts'

/** Keeps the last usage that an upstream reported, wherever in its chunks it was. */
export class UsageTally {
  #input: Partial<HubUsage> = {}
  #output: Partial<HubUsage> = {}

  /** Whether the upstream has counted both sides. */
  get complete(): boolean {
    return this.#input.input_tokens !== undefined && this.#output.output_tokens !== undefined
  }

  /** Takes in a `usage` object; counts that are no numbers are as good as missing. */
  read(usage: WireObject): void {
    const prompt = countAt(usage['prompt_tokens'])
    if (prompt !== undefined) this.#input = inputUsage(usage, prompt)
    const completion = countAt(usage['completion_tokens'])
    if (completion !== undefined) this.#output = outputUsage(usage, completion, prompt)
  }

  /** The usage for the client; an estimate replaces what the upstream did not report. */
  result(estimate: () => HubUsage): HubUsage {
    return usageOf({ ...(this.complete ? {} : estimate()), ...this.#input, ...this.#output })
  }
}

/** The usage in a chunk: beside its choices, in the first of them (Moonshot), or in a corner of its own (Groq). */
export function usageIn(chunk: WireObject): WireObject | undefined {
  if (isJsonObject(chunk['usage'])) return chunk['usage']
  const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined
  if (isJsonObject(choice) && isJsonObject(choice['usage'])) return choice['usage']
  const groq = chunk['x_groq']
  return isJsonObject(groq) && isJsonObject(groq['usage']) ? groq['usage'] : undefined
}

function inputUsage(usage: WireObject, prompt: number): Partial<HubUsage> {
  const details = detailsOf(usage['prompt_tokens_details'])
  const read =
    countAt(details['cached_tokens']) ??
    countAt(usage['prompt_cache_hit_tokens']) ??
    countAt(usage['cached_tokens']) ??
    countAt(usage['num_cached_tokens']) ??
    countAt(usage['cache_read_input_tokens']) ??
    0
  const reported =
    countAt(details['cache_write_tokens']) ?? countAt(usage['cache_creation_input_tokens']) ?? 0
  // Venice reports the same tokens as read and as written; no token is counted twice.
  const written = Math.min(reported, Math.max(0, prompt - read))
  return {
    input_tokens: Math.max(0, prompt - read - written),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  }
}

function outputUsage(usage: WireObject, completion: number, prompt: number | undefined): Partial<HubUsage> {
  const thinking = countAt(detailsOf(usage['completion_tokens_details'])['reasoning_tokens']) ?? 0
  // xAI counts reasoning beside the completion and not in it; its total tells.
  const beside =
    prompt !== undefined && thinking > 0 && usage['total_tokens'] === prompt + completion + thinking
  return {
    output_tokens: beside ? completion + thinking : completion,
    output_tokens_details: thinking > 0 ? { thinking_tokens: thinking } : null,
  }
}

function detailsOf(value: unknown): WireObject {
  return isJsonObject(value) ? value : {}
}

/** What an answer cost, in Chat's words: the prompt with what was read from and written to a cache. */
export function encodeUsage(usage: HubUsage): ChatUsage {
  const { input, output, cacheRead, cacheWritten, thinking } = totalUsage(usage)
  const written = cacheWritten > 0 && { cache_write_tokens: cacheWritten }
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, ...written },
    completion_tokens_details: { reasoning_tokens: thinking },
  }
}
