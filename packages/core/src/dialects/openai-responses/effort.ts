import { effortLevel, effortWish, noteEffortDropped } from '../../encode/effort.ts'
import type { HubRequest } from '../../hub/request.ts'
import type { Effort } from '../../profiles/profile.ts'
import type { Encoding } from './encoding.ts'

/** How detailed a summary may be. */
const SUMMARIES: ReadonlySet<string> = new Set(['auto', 'concise', 'detailed'])

/** How hard the model shall think, and whether it sums up for the client what it thought. */
export function encodeReasoning(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { profile, notes } = encoding
  const wish = effortWish(request)
  if (profile.reasoning.kind !== 'effort') {
    if (wish !== undefined) noteEffortDropped(wish, notes)
    return {}
  }
  const effort = wish === undefined ? undefined : effortLevel(wish, profile.reasoning.levels, notes)
  const summary = summaryFor(request, effort, encoding)
  const reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...(summary === undefined ? {} : { summary }),
  }
  return Object.keys(reasoning).length === 0 ? {} : { reasoning }
}

function summaryFor(
  request: HubRequest,
  effort: Effort | undefined,
  { profile, notes }: Encoding,
): string | undefined {
  const wanted = request.extras?.reasoning_summary ?? (showsThinking(request) ? 'auto' : undefined)
  if (wanted === undefined || effort === 'none') return undefined
  if (profile.summarizes && SUMMARIES.has(wanted)) return wanted
  notes.addOnce(
    'summary_dropped',
    'thinking',
    'the upstream does not sum up in this way what its model thinks',
  )
  return undefined
}

/** Whether the client wants to see what the model thinks: it may also want it hidden. */
function showsThinking({ thinking }: HubRequest): boolean {
  if (thinking === undefined || thinking.type === 'disabled') return false
  return !('display' in thinking) || thinking.display !== 'omitted'
}
