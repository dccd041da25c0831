import type { Notes } from '../hub/note.ts'
import type { HubRequest } from '../hub/request.ts'
import type { Effort } from '../profiles/profile.ts'

const STRENGTH: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
/** Up to how many tokens of thinking count as little or as some. */
const LOW_BUDGET = 4096
const MEDIUM_BUDGET = 16_384

/** How hard the model shall think, and which field of the request said it. */
export interface EffortWish {
  readonly effort: Effort
  readonly path: string
}

/** The parts of a request that say how hard the model shall think. */
interface EffortSource extends Pick<HubRequest, 'messages'> {
  readonly thinking?: HubRequest['thinking'] | undefined
  readonly output_config?: HubRequest['output_config'] | undefined
}

/** What the client asks for: the latest word of a system message, else the request's, else its thinking budget. */
export function effortWish({
  thinking,
  output_config: config,
  messages,
}: EffortSource): EffortWish | undefined {
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

/** The effort that a number of tokens for thinking comes nearest to. */
export function effortOfBudget(tokens: number): Effort {
  if (tokens <= LOW_BUDGET) return 'low'
  return tokens <= MEDIUM_BUDGET ? 'medium' : 'high'
}

/** The level that the model takes for a wish, with a note where it is another one; `undefined` for none. */
export function effortLevel(wish: EffortWish, levels: readonly Effort[], notes: Notes): Effort | undefined {
  const level = nearest(wish.effort, levels)
  if (level === undefined) noteEffortDropped(wish, notes)
  else if (level !== wish.effort) {
    const reason = `'${wish.effort}' became '${level}', the nearest the model takes`
    notes.add('effort_changed', wish.path, reason)
  }
  return level
}

/** Says that a wish goes unheard. */
export function noteEffortDropped({ effort, path }: EffortWish, notes: Notes): void {
  notes.add('effort_dropped', path, `the effort '${effort}' cannot be set for this model`)
}

/** The strongest level that is not above what is wanted, else the weakest there is; thinking is never forced. */
function nearest(wanted: Effort, levels: readonly Effort[]): Effort | undefined {
  const limit = STRENGTH.indexOf(wanted)
  // A word that is not known here may mean anything: the model's own default is the best guess.
  if (limit === -1) return undefined
  const within = levels.filter((level) => STRENGTH.indexOf(level) <= limit)
  if (within.length > 0) return within.at(-1)
  const weakest = levels[0]
  return wanted === 'none' && weakest !== 'minimal' ? undefined : weakest
}
