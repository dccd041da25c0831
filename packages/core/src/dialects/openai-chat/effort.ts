import type { HubRequest } from '../../hub/request.ts'
import type { Effort, ReasoningControl } from '../../profiles/profile.ts'
import type { Encoding } from './encoding.ts'

const STRENGTH: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
/** Up to how many tokens of thinking count as little or as some. */
const LOW_BUDGET = 4096
const MEDIUM_BUDGET = 16_384

type EffortControl = Extract<ReasoningControl, { kind: 'effort' }>

/** How hard the model shall think, and where the request says so. */
interface Wish {
  readonly effort: Effort
  readonly path: string
}

/** How hard the model shall think, in the words of the upstream. */
export function encodeEffort(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { reasoning } = encoding.profile
  const wish = wishOf(request)
  switch (reasoning.kind) {
    case 'fixed':
      if (wish !== undefined) noteDropped(wish, encoding)
      return {}
    case 'switch':
      // A switch knows no levels.
      if (wish !== undefined && wish.path !== 'thinking') noteDropped(wish, encoding)
      if (request.thinking === undefined) return {}
      return wish?.effort === 'none' ? reasoning.off : reasoning.on
    case 'effort': {
      const level = levelFor(wish, reasoning, encoding)
      return level === undefined ? {} : { reasoning_effort: level }
    }
  }
}

/** What the client asks for: the latest word of a system message, else the request's, else its thinking budget. */
function wishOf({ thinking, output_config: config, messages }: HubRequest): Wish | undefined {
  if (thinking?.type === 'disabled') return { effort: 'none', path: 'thinking' }
  const index = messages.findLastIndex(
    (message) => message.role === 'system' && message.output_config?.effort,
  )
  const latest = messages[index]
  const midway = latest?.role === 'system' ? latest.output_config?.effort : undefined
  if (midway) return { effort: midway, path: `messages[${index}].output_config.effort` }
  if (config?.effort) return { effort: config.effort, path: 'output_config.effort' }
  if (thinking?.type !== 'enabled') return undefined
  return { effort: effortOfBudget(thinking.budget_tokens), path: 'thinking' }
}

function effortOfBudget(tokens: number): Effort {
  if (tokens <= LOW_BUDGET) return 'low'
  return tokens <= MEDIUM_BUDGET ? 'medium' : 'high'
}

function levelFor(wish: Wish | undefined, control: EffortControl, encoding: Encoding): Effort | undefined {
  const forced = encoding.tools.length > 0 ? control.withTools : undefined
  if (forced !== undefined) {
    const reason = `with tools this model takes the effort '${forced}' only`
    if (wish?.effort !== forced) encoding.notes.add('effort_changed', wish?.path ?? 'tools', reason)
    return forced
  }
  if (wish === undefined) return undefined
  const level = nearest(wish.effort, control.levels)
  if (level === undefined) noteDropped(wish, encoding)
  else if (level !== wish.effort) {
    const reason = `'${wish.effort}' became '${level}', the nearest the model takes`
    encoding.notes.add('effort_changed', wish.path, reason)
  }
  return level
}

/** The strongest level that is not above what is wanted, else the weakest there is; thinking is not forced on anybody. */
function nearest(wanted: Effort, levels: readonly Effort[]): Effort | undefined {
  const limit = STRENGTH.indexOf(wanted)
  // A word that is not known here may mean anything: the model's own default is the best guess.
  if (limit === -1) return undefined
  const within = levels.filter((level) => STRENGTH.indexOf(level) <= limit)
  if (within.length > 0) return within.at(-1)
  const weakest = levels[0]
  return wanted === 'none' && weakest !== 'minimal' ? undefined : weakest
}

function noteDropped({ effort, path }: Wish, { notes }: Encoding): void {
  notes.add('effort_dropped', path, `the effort '${effort}' cannot be set for this model`)
}
