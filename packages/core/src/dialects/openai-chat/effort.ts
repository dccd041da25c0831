import { effortLevel, effortWish, type EffortWish, noteEffortDropped } from '../../encode/effort.ts'
import type { Notes } from '../../hub/note.ts'
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
      return switchFor(request, reasoning, { encoding, wish })
    case 'effort': {
      const level = levelFor(wish, reasoning, encoding)
      return level === undefined ? {} : { reasoning_effort: level }
    }
  }
}

type SwitchControl = Extract<ReasoningControl, { kind: 'switch' }>

interface Wishing {
  readonly encoding: Encoding
  readonly wish: EffortWish | undefined
}

function switchFor(
  request: HubRequest,
  control: SwitchControl,
  { encoding, wish }: Wishing,
): Readonly<Record<string, unknown>> {
  // A switch knows no levels.
  if (wish !== undefined && wish.path !== 'thinking') noteEffortDropped(wish, encoding.notes)
  const isOff = wish?.effort === 'none'
  if (isForced(request, encoding)) return switchedOff(!isOff, control, encoding.notes)
  if (request.thinking === undefined) return {}
  return isOff ? control.off : control.on
}

function isForced({ tool_choice: choice }: HubRequest, { tools }: Encoding): boolean {
  return tools.length > 0 && (choice?.type === 'any' || choice?.type === 'tool')
}

/** What turns thinking off where a call is forced: models with a switch think by themselves, and refuse both at once. */
export function switchedOff(
  isChange: boolean,
  { off }: SwitchControl,
  notes: Notes,
): Readonly<Record<string, unknown>> {
  if (isChange)
    notes.add('thinking_off', 'tool_choice', 'the model cannot think where it is made to call a tool')
  return off
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
