import { effortLevel, effortWish, type EffortWish, noteEffortDropped } from '../../encode/effort.ts'
import type { HubRequest } from '../../hub/request.ts'
import type { Effort } from '../../profiles/profile.ts'
import type { Encoding } from './encoding.ts'

/** The level of effort that goes out, if any, beside the thinking that does. */
export function encodeEffort(
  request: HubRequest,
  thinking: HubRequest['thinking'] | undefined,
  { profile, notes }: Pick<Encoding, 'profile' | 'notes'>,
): Effort | undefined {
  const { efforts = [], thinking: forms = [] } = profile
  // Who always thinks, and is asked not to, thinks as little as it can.
  if (request.thinking?.type === 'disabled' && !forms.includes('disabled')) return efforts[0]
  const wish = wishOf(request, thinking, profile)
  if (wish === undefined) return undefined
  // Without thinking a model takes no effort above `high`.
  const levels = thinking?.type === 'disabled' ? efforts.filter(isModerate) : efforts
  if (levels.length > 0) return effortLevel(wish, levels, notes)
  if (!isHeard(wish, thinking)) noteEffortDropped(wish, notes)
  return undefined
}

/** A budget of thinking says the same. */
function isHeard({ path }: EffortWish, thinking: HubRequest['thinking'] | undefined): boolean {
  return thinking?.type === 'enabled' || path === 'thinking'
}

function wishOf(
  request: HubRequest,
  thinking: HubRequest['thinking'] | undefined,
  { systemMidway }: Encoding['profile'],
): EffortWish | undefined {
  const isByEffort = thinking === undefined || thinking.type === 'adaptive'
  return effortWish({
    ...request,
    // A budget of the client's is its effort where the model takes no budget.
    thinking: isByEffort ? request.thinking : undefined,
    // System messages that stay where they are keep their efforts, too.
    messages: systemMidway === 'keep' ? [] : request.messages,
  })
}

function isModerate(effort: Effort): boolean {
  return effort !== 'xhigh' && effort !== 'max'
}
