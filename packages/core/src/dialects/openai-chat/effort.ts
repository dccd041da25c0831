import { effortLevel, effortWish, type EffortWish, noteEffortDropped } from '../../encode/effort.ts'
import type { HubRequest } from '../../hub/request.ts'
import type { Effort, ReasoningControl } from '../../profiles/profile.ts'
import type { Encoding } from './encoding.ts'

type EffortControl = Extract<ReasoningControl, { kind: 'effort' }>

/** How hard the model shall think, in the words of the upstream. */
export function encodeEffort(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { reasoning } = encoding.profile
  const wish = effortWish(request)
  switch (reasoning.kind) {
    case 'fixed':
      if (wish !== undefined) noteEffortDropped(wish, encoding.notes)
      return {}
    case 'switch':
      // A switch knows no levels.
      if (wish !== undefined && wish.path !== 'thinking') noteEffortDropped(wish, encoding.notes)
      if (request.thinking === undefined) return {}
      return wish?.effort === 'none' ? reasoning.off : reasoning.on
    case 'effort': {
      const level = levelFor(wish, reasoning, encoding)
      return level === undefined ? {} : { reasoning_effort: level }
    }
  }
}

function levelFor(
  wish: EffortWish | undefined,
  control: EffortControl,
  { tools, notes }: Encoding,
): Effort | undefined {
  const forced = tools.length > 0 ? control.withTools : undefined
  if (forced !== undefined) {
    const reason = `with tools this model takes the effort '${forced}' only`
    if (wish?.effort !== forced) notes.add('effort_changed', wish?.path ?? 'tools', reason)
    return forced
  }
  return wish === undefined ? undefined : effortLevel(wish, control.levels, notes)
}
