import type { HubTextBlock } from '../hub/request.ts'
import { isJsonObject } from '../json/json-object.ts'

/**
 * The cache mark of a part: OpenAI's breakpoint, or Anthropic's own field, which clients put into requests for servers
 * that pass it on.
 */
export function cacheMark(part: object): Pick<HubTextBlock, 'cache_control'> {
  const { cache_control: own, prompt_cache_breakpoint: breakpoint } = part as Record<string, unknown>
  if (isJsonObject(own) && own['type'] === 'ephemeral') {
    return { cache_control: { type: 'ephemeral', ...(own['ttl'] === '1h' && { ttl: '1h' }) } }
  }
  if (!isJsonObject(breakpoint) || breakpoint['mode'] !== 'explicit') return {}
  return { cache_control: { type: 'ephemeral', ...(breakpoint['ttl'] === '12h' && { ttl: '1h' }) } }
}
