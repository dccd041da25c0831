import { type HubUsage, usageOf } from '../../hub/usage.ts'
import type { ChatUsage, WireObject } from './wire.ts'

/** Keeps the last usage that an upstream reported, wherever in its chunks it stood. */
export class UsageTally {
  #input: Partial<HubUsage> = {}
  #output: Partial<HubUsage> = {}

  /** Whether the upstream has counted both sides. */
  get complete(): boolean {
    return this.#input.input_tokens !== undefined && this.#output.output_tokens !== undefined
  }

  /** Takes in a `usage` object; counts that are no numbers are as good as missing. */
  read(usage: WireObject): void {
    const prompt = count(usage['prompt_tokens'])
    if (prompt !== undefined) this.#input = inputUsage(usage, prompt)
    const completion = count(usage['completion_tokens'])
    if (completion !== undefined) this.#output = outputUsage(usage, completion, prompt)
  }

  /** The usage for the client; an estimate stands in for what the upstream never said. */
  result(estimate: () => HubUsage): HubUsage {
    return usageOf({ ...(this.complete ? {} : estimate()), ...this.#input, ...this.#output })
  }
}

/** The usage in a chunk: beside its choices, in the first of them (Moonshot), or in a corner of its own (Groq). */
export function usageIn(chunk: WireObject): WireObject | undefined {
  if (isObject(chunk['usage'])) return chunk['usage']
  const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined
  if (isObject(choice) && isObject(choice['usage'])) return choice['usage']
  const groq = chunk['x_groq']
  return isObject(groq) && isObject(groq['usage']) ? groq['usage'] : undefined
}

function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null
}

function inputUsage(usage: WireObject, prompt: number): Partial<HubUsage> {
  const details = detailsOf(usage['prompt_tokens_details'])
  const read =
    count(details['cached_tokens']) ??
    count(usage['prompt_cache_hit_tokens']) ??
    count(usage['cached_tokens']) ??
    count(usage['num_cached_tokens']) ??
    count(usage['cache_read_input_tokens']) ??
    0
  const reported = count(details['cache_write_tokens']) ?? count(usage['cache_creation_input_tokens']) ?? 0
  // Venice reports the same tokens as read and as written; no token is counted twice.
  const written = Math.min(reported, Math.max(0, prompt - read))
  return {
    input_tokens: Math.max(0, prompt - read - written),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  }
}

function outputUsage(usage: WireObject, completion: number, prompt: number | undefined): Partial<HubUsage> {
  const thinking = count(detailsOf(usage['completion_tokens_details'])['reasoning_tokens']) ?? 0
  // xAI counts reasoning beside the completion and not in it; its total tells.
  const beside =
    prompt !== undefined && thinking > 0 && usage['total_tokens'] === prompt + completion + thinking
  return {
    output_tokens: beside ? completion + thinking : completion,
    output_tokens_details: thinking > 0 ? { thinking_tokens: thinking } : null,
  }
}

function detailsOf(value: unknown): WireObject {
  return isObject(value) ? value : {}
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** What an answer cost, in Chat's words: the prompt with what was read from and written to a cache. */
export function encodeUsage(usage: HubUsage): ChatUsage {
  const cached = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const prompt = usage.input_tokens + cached + written
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output_tokens,
    total_tokens: prompt + usage.output_tokens,
    prompt_tokens_details: { cached_tokens: cached, ...(written > 0 && { cache_write_tokens: written }) },
    completion_tokens_details: { reasoning_tokens: usage.output_tokens_details?.thinking_tokens ?? 0 },
  }
}
