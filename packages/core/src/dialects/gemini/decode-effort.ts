import type { Notes } from '../../hub/note.ts'
import type { HubRequest } from '../../hub/request.ts'
import { unexpectedValue } from '../../json/expect.ts'
import type { Fields } from './fields.ts'

/** How hard the model shall think, in the hub's fields. */
interface DecodedEffort {
  readonly config: Pick<NonNullable<HubRequest['output_config']>, 'effort'>
  readonly thinking?: HubRequest['thinking']
  readonly showsThoughts: boolean
}

type Effort = NonNullable<DecodedEffort['config']['effort']>

/** Anthropic's least budget. */
const MIN_BUDGET = 1024

const LEVELS: readonly string[] = ['THINKING_LEVEL_UNSPECIFIED', 'LOW', 'MEDIUM', 'HIGH', 'MINIMAL']

const EFFORT_OF_LEVEL: ReadonlyMap<string, string> = new Map([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
])

/** Decodes `thinkingConfig`; without one the model is left alone. */
export function decodeEffort(config: Fields, notes: Notes): DecodedEffort {
  const thinking = config.object('thinkingConfig')
  if (thinking === undefined) return { config: {}, showsThoughts: false }
  const showsThoughts = thinking.get('includeThoughts') === true
  const level = thinking.word('thinkingLevel', LEVELS)
  const budget = thinking.number('thinkingBudget')
  thinking.noteOthers(notes)
  const display = showsThoughts ? ('summarized' as const) : ('omitted' as const)
  const adaptive = { type: 'adaptive' as const, display }
  if (level !== undefined && level !== 'THINKING_LEVEL_UNSPECIFIED') {
    const effort = EFFORT_OF_LEVEL.get(level)
    if (effort === undefined)
      throw unexpectedValue(thinking.pathOf('thinkingLevel'), 'one of MINIMAL, LOW, MEDIUM, HIGH', level)
    // Google knows one level less than Anthropic has words for; a client that means Anthropic's levels uses Anthropic's words.
    return { config: { effort: effort as Effort }, thinking: adaptive, showsThoughts }
  }
  if (budget === undefined || budget < 0) return { config: {}, thinking: adaptive, showsThoughts }
  if (budget === 0) return { config: {}, thinking: { type: 'disabled' }, showsThoughts }
  const tokens = Math.max(MIN_BUDGET, budget)
  if (tokens !== budget) {
    const path = thinking.pathOf('thinkingBudget')
    notes.add('budget_changed', path, `${budget} became ${tokens}, the least that the hub has`)
  }
  return { config: {}, thinking: { type: 'enabled', budget_tokens: tokens, display }, showsThoughts }
}
