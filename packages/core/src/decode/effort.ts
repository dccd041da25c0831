import type { HubRequest } from '../hub/request.ts'
import { unexpected, unexpectedValue } from '../json/expect.ts'

/** How hard a model shall think, as the hub says it. */
export type HubEffort = NonNullable<NonNullable<HubRequest['output_config']>['effort']>

/** OpenAI has one level more than Anthropic; an encoder says it in its upstream's words. */
const LEVELS: ReadonlySet<unknown> = new Set(['minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

/** An effort in OpenAI's words; `none` is no thinking at all. */
export function expectEffort(value: unknown, path: string): HubEffort | 'none' {
  if (typeof value !== 'string') throw unexpected(path, 'string', value)
  if (value !== 'none' && !LEVELS.has(value))
    throw unexpectedValue(path, 'one of none, minimal, low, medium, high, xhigh, max', value)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
  return value as HubEffort | 'none'
}
