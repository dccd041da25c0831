import { effortOfBudget, effortWish } from '../../encode/effort.ts'
import type { HubRequest } from '../../hub/request.ts'
import type { Effort } from '../../profiles/profile.ts'
import type { Encoding } from './encoding.ts'
import type { ThinkingControl } from './profile.ts'
import type { GeminiLevel } from './wire.ts'

type LevelControl = Extract<ThinkingControl, { kind: 'level' }>
type BudgetControl = Extract<ThinkingControl, { kind: 'budget' }>

/** The level of each effort; the profile says which ones a model takes. */
const LEVEL_OF_EFFORT: Readonly<Record<Effort, GeminiLevel>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/** What Google's own compatible endpoint makes of an effort. */
const BUDGET_OF_EFFORT: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

const STRENGTH: readonly GeminiLevel[] = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']

/** How hard the model shall think, and which field of the request said it. */
interface Wish {
  readonly effort: Effort | undefined
  readonly budget: number | undefined
  readonly path: string
}

/** The `thinkingConfig` of a request, if it says anything about thinking. */
export function encodeEffort(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { thinking } = encoding.profile
  const wish = wishOf(request)
  if (wish === undefined) return {}
  if (thinking.kind === 'none') {
    if (wish.effort !== 'none' && (wish.effort !== undefined || wish.budget !== undefined))
      encoding.notes.add('effort_dropped', wish.path, 'this model does not think')
    return {}
  }
  const amount =
    thinking.kind === 'level' ? levelOf(wish, thinking, encoding) : budgetOf(wish, thinking, encoding)
  return { thinkingConfig: { ...amount, includeThoughts: showsThoughts(request, wish) } }
}

function showsThoughts({ thinking, extras }: HubRequest, { effort }: Wish): boolean {
  if (effort === 'none' || extras?.reasoning_summary === 'none') return false
  return !(thinking !== undefined && 'display' in thinking && thinking.display === 'omitted')
}

/** What the client asks for; thinking in tokens is counted in them where the model does so too. */
function wishOf(request: HubRequest): Wish | undefined {
  const { thinking } = request
  const wish = effortWish(request)
  if (wish === undefined)
    return thinking === undefined ? undefined : { effort: undefined, budget: undefined, path: 'thinking' }
  const isBudget = thinking?.type === 'enabled' && wish.path === 'thinking'
  return isBudget
    ? { effort: undefined, budget: thinking.budget_tokens, path: wish.path }
    : { ...wish, budget: undefined }
}

function levelOf(wish: Wish, { levels }: LevelControl, encoding: Encoding): Record<string, unknown> {
  const wanted = wish.effort === undefined ? levelOfBudget(wish.budget) : LEVEL_OF_EFFORT[wish.effort]
  if (wanted === undefined) {
    if (wish.effort !== undefined) noteUnknown(wish, encoding)
    return {}
  }
  const level = levels.findLast((known) => STRENGTH.indexOf(known) <= STRENGTH.indexOf(wanted)) ?? levels[0]
  if (level !== wanted || isNearest(wish.effort)) noteChanged(wish, `the level ${level}`, encoding)
  return { thinkingLevel: level }
}

function levelOfBudget(budget: number | undefined): GeminiLevel | undefined {
  return budget === undefined ? undefined : LEVEL_OF_EFFORT[effortOfBudget(budget)]
}

/** Efforts that no level says exactly. */
function isNearest(effort: Effort | undefined): boolean {
  return effort === 'none' || effort === 'xhigh' || effort === 'max'
}

function budgetOf(
  wish: Wish,
  { min, max, canBeOff }: BudgetControl,
  encoding: Encoding,
): Record<string, unknown> {
  const wanted = wish.effort === undefined ? wish.budget : BUDGET_OF_EFFORT[wish.effort]
  if (wanted === undefined) {
    if (wish.effort !== undefined) noteUnknown(wish, encoding)
    return {}
  }
  if (wanted === 0 && canBeOff) return { thinkingBudget: 0 }
  const budget = Math.min(max, Math.max(min, wanted))
  if (budget !== wanted) noteChanged(wish, `a budget of ${budget} tokens`, encoding)
  return { thinkingBudget: budget }
}

function noteChanged({ effort, budget, path }: Wish, became: string, { notes }: Encoding): void {
  const asked = effort === undefined ? `a budget of ${budget} tokens` : `the effort '${effort}'`
  notes.add('effort_changed', path, `${asked} became ${became}, the nearest the model takes`)
}

function noteUnknown({ effort, path }: Wish, { notes }: Encoding): void {
  notes.add('effort_dropped', path, `the effort '${effort}' is not known here`)
}
