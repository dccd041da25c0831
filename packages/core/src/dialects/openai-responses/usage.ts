import { type HubUsage, usageOf } from '../../hub/usage.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireUsage } from './wire.ts'

/** The usage of an answer as the hub counts it; `undefined` where the upstream counted nothing. */
export function decodeUsage(usage: unknown): HubUsage | undefined {
  if (!isJsonObject(usage)) return undefined
  const input = count(usage['input_tokens'])
  const output = count(usage['output_tokens'])
  if (input === undefined || output === undefined) return undefined
  const inputDetails = detailsOf(usage['input_tokens_details'])
  const read = Math.min(count(inputDetails['cached_tokens']) ?? 0, input)
  // No token is counted twice: what was read was not written as well.
  const written = Math.min(count(inputDetails['cache_write_tokens']) ?? 0, input - read)
  const thinking = count(detailsOf(usage['output_tokens_details'])['reasoning_tokens']) ?? 0
  return usageOf({
    input_tokens: input - read - written,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: output + besideOutput(usage, { input, output, thinking }),
    output_tokens_details: thinking > 0 ? { thinking_tokens: thinking } : null,
  })
}

/** The usage of an answer as the dialect's clients count it: the input is everything that was read. */
export function encodeUsage(usage: HubUsage): WireUsage {
  const read = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const input = usage.input_tokens + read + written
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: usage.output_tokens_details?.thinking_tokens ?? 0 },
    total_tokens: input + usage.output_tokens,
  }
}

interface Counts {
  readonly input: number
  readonly output: number
  readonly thinking: number
}

/** Some count reasoning beside the output and not in it; their total tells. */
function besideOutput(usage: JsonObject, { input, output, thinking }: Counts): number {
  return thinking > 0 && usage['total_tokens'] === input + output + thinking ? thinking : 0
}

function detailsOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
