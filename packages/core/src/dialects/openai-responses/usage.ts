import { type HubUsage, totalUsage, usageOf } from '../../hub/usage.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireUsage } from './wire.ts'
import { countAt } from '../../json/wire.ts'

/** The usage of an answer as the hub counts it; `undefined` where the upstream counted nothing. */
export function decodeUsage({ usage, tool_usage: tools }: JsonObject): HubUsage | undefined {
  if (!isJsonObject(usage)) return undefined
  const input = countAt(usage['input_tokens'])
  const output = countAt(usage['output_tokens'])
  if (input === undefined || output === undefined) return undefined
  const inputDetails = detailsOf(usage['input_tokens_details'])
  const read = Math.min(countAt(inputDetails['cached_tokens']) ?? 0, input)
  // No token is counted twice: what was read was not written as well.
  const written = Math.min(countAt(inputDetails['cache_write_tokens']) ?? 0, input - read)
  const thinking = countAt(detailsOf(usage['output_tokens_details'])['reasoning_tokens']) ?? 0
  return usageOf({
    input_tokens: input - read - written,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: output + besideOutput(usage, { input, output, thinking }),
    output_tokens_details: thinking > 0 ? { thinking_tokens: thinking } : null,
    server_tool_use: searchesIn(tools),
  })
}

/** How often the provider searched the web, which it bills apart. */
function searchesIn(tools: unknown): HubUsage['server_tool_use'] {
  const count = countAt(detailsOf(detailsOf(tools)['web_search'])['num_requests']) ?? 0
  return count > 0 ? { web_search_requests: count, web_fetch_requests: 0 } : null
}

/** The usage of an answer as the dialect's clients count it: the input is everything that was read. */
export function encodeUsage(usage: HubUsage): WireUsage {
  const { input, output, cacheRead, cacheWritten, thinking } = totalUsage(usage)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWritten },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thinking },
    total_tokens: input + output,
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
