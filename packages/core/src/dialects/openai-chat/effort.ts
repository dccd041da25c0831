import type { HubRequest } from '../../hub/request.ts'
import type { Effort, ReasoningControl } from '../../profiles/profile.ts'
import type { Encoding } from './encoding.ts'

const STRENGTH: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
/** Up to how many tokens of thinking count as little or as some. */
const LOW_BUDGET = 4096
const MEDIUM_BUDGET = 16_384

type EffortControl = Extract<ReasoningControl, { kind: 'effort' }>

/** How hard the model shall think, in the words of the upstream. */
export function encodeEffort(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const wanted = wantedEffort(request)
  const { reasoning } = encoding.profile
  switch (reasoning.kind) {
    case 'fixed':
      if (wanted !== undefined) noteDropped(wanted, encoding)
      return {}
    case 'switch':
      if (request.thinking === undefined) return {}
      return wanted === 'none' ? reasoning.off : reasoning.on
    case 'effort': {
      const level = levelFor(wanted, reasoning, { hasTools: (request.tools ?? []).length > 0, encoding })
      return level === undefined ? {} : { reasoning_effort: level }
    }
  }
}

/** What the client asks for: the latest word of a system message, else the request's, else its thinking budget. */
function wantedEffort({ thinking, output_config: config, messages }: HubRequest): Effort | undefined {
  if (thinking?.type === 'disabled') return 'none'
  const latest = messages.findLast((message) => message.role === 'system' && message.output_config?.effort)
  const said = (latest?.role === 'system' ? latest.output_config?.effort : undefined) ?? config?.effort
  if (said) return said
  return thinking?.type === 'enabled' ? effortOfBudget(thinking.budget_tokens) : undefined
}

function effortOfBudget(tokens: number): Effort {
  if (tokens <= LOW_BUDGET) return 'low'
  return tokens <= MEDIUM_BUDGET ? 'medium' : 'high'
}

interface LevelContext {
  readonly hasTools: boolean
  readonly encoding: Encoding
}

function levelFor(
  wanted: Effort | undefined,
  control: EffortControl,
  { hasTools, encoding }: LevelContext,
): Effort | undefined {
  const forced = hasTools ? control.withTools : undefined
  if (forced !== undefined) {
    if (wanted !== forced) {
      encoding.notes.add(
        'effort_changed',
        'output_config.effort',
        `with tools this model takes the effort '${forced}' only`,
      )
    }
    return forced
  }
  if (wanted === undefined) return undefined
  const level = nearest(wanted, control.levels)
  if (level === undefined) noteDropped(wanted, encoding)
  else if (level !== wanted) {
    encoding.notes.add(
      'effort_changed',
      'output_config.effort',
      `'${wanted}' became '${level}', the nearest the model takes`,
    )
  }
  return level
}

/** The strongest level that is not above what is wanted, else the weakest there is; thinking is not forced on anybody. */
function nearest(wanted: Effort, levels: readonly Effort[]): Effort | undefined {
  const limit = STRENGTH.indexOf(wanted)
  const within = levels.filter((level) => STRENGTH.indexOf(level) <= limit)
  if (within.length > 0) return within.at(-1)
  const weakest = levels[0]
  return wanted === 'none' && weakest !== 'minimal' ? undefined : weakest
}

function noteDropped(wanted: Effort, { notes }: Encoding): void {
  notes.add('effort_dropped', 'output_config.effort', `the effort '${wanted}' cannot be set for this model`)
}
