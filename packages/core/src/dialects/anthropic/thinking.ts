import { isJsonObject } from '../../json/json-object.ts'
import { effortWish } from '../../encode/effort.ts'
import type { HubBlock, HubMessage, HubRequest } from '../../hub/request.ts'
import { openEnvelope } from '../../identity/envelope.ts'
import type { Effort } from '../../profiles/profile.ts'
import { encodeEffort } from './effort.ts'
import type { Encoding } from './encoding.ts'

type Thinking = NonNullable<HubRequest['thinking']>
type Fields = Pick<HubRequest, 'thinking' | 'output_config' | 'context_management'>

/** How many tokens of thinking an effort is worth, where a model takes nothing but a budget. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 1024,
  minimal: 1024,
  low: 4096,
  medium: 16_384,
  high: 31_999,
  xhigh: 31_999,
  max: 31_999,
}
/** Anthropic takes no smaller budget. */
const MIN_BUDGET = 1024

const OFF: Thinking = { type: 'disabled' }

/** What the form of thinking depends on beside the request. */
export interface ThinkingContext extends Pick<Encoding, 'profile' | 'notes'> {
  /** The conversation as it is sent. */
  readonly messages: readonly HubMessage[]
  readonly maxTokens: number
}

/**
 * How hard the model shall think, in the form that the target takes: each generation of models refuses the form of
 * another one, and a client does not know which model a route leads to.
 */
export function encodeThinking(request: HubRequest, context: ThinkingContext): Fields {
  const { thinking: wanted, output_config: config, context_management: edits } = request
  const { profile } = context
  if (profile.thinking === undefined) return given({ thinking: wanted, output_config: config, edits })
  const thinking = wanted && formFor(wanted, request, context)
  const isThinking = thinking !== undefined && thinking.type !== 'disabled'
  return given({
    thinking,
    output_config: withEffort(config, encodeEffort(request, thinking, context)),
    edits: isThinking || wanted === undefined ? edits : withoutThinkingEdits(edits, context),
  })
}

function formFor(wanted: Thinking, request: HubRequest, context: ThinkingContext): Thinking | undefined {
  const { profile, notes } = context
  const forms = profile.thinking ?? []
  if (wanted.type === 'disabled') return offForm(wanted, context)
  if (forms.length === 0) {
    notes.add('thinking_off', 'thinking', 'the model does not think')
    return undefined
  }
  if (isForced(request) && forms.includes('disabled')) {
    notes.add('thinking_off', 'thinking', 'the model cannot think where it is made to call a tool')
    return OFF
  }
  if (wanted.type === 'enabled') {
    return forms.includes('enabled') ? budgetForm(wanted, context) : adaptiveForm(wanted, context)
  }
  return forms.includes('adaptive') ? shown(wanted, request) : budgetFor(request, context)
}

function offForm(wanted: Thinking, { profile, notes }: ThinkingContext): Thinking | undefined {
  const forms = profile.thinking ?? []
  if (forms.includes('disabled')) return wanted
  if (forms.length > 0) {
    notes.add('thinking_changed', 'thinking', 'the model always thinks: it does with little effort')
  }
  return undefined
}

/** New models keep what they think to themselves unless they are asked for it. */
function shown(wanted: Thinking, { extras }: HubRequest): Thinking {
  if (extras?.reasoning_summary === undefined || wanted.type !== 'adaptive') return wanted
  return { ...wanted, display: wanted.display ?? 'summarized' }
}

/** A budget in place of an effort. */
function budgetFor(request: HubRequest, context: ThinkingContext): Thinking {
  const effort = effortWish(request)?.effort ?? 'high'
  const wanted = { type: 'enabled', budget_tokens: BUDGETS[effort] ?? BUDGETS.high } as const
  const form = budgetForm(wanted, context, { isOurs: true })
  if (form.type === 'enabled') {
    const words = `the model takes a budget: ${form.budget_tokens} tokens`
    context.notes.add('thinking_changed', 'thinking', words)
  }
  return form
}

function isForced({ tool_choice: choice }: HubRequest): boolean {
  return choice?.type === 'any' || choice?.type === 'tool'
}

function adaptiveForm(
  { display }: Extract<Thinking, { type: 'enabled' }>,
  { notes }: ThinkingContext,
): Thinking {
  notes.add('thinking_changed', 'thinking', 'the model takes no budget: it thinks as much as its effort says')
  // Thinking by a budget is shown where nothing else is said; new models keep theirs to themselves then.
  return { type: 'adaptive', display: display ?? 'summarized' }
}

/** A budget must leave something for the answer. */
function budgetForm(
  wanted: Extract<Thinking, { type: 'enabled' }>,
  { maxTokens, messages, notes }: ThinkingContext,
  { isOurs = false }: { readonly isOurs?: boolean } = {},
): Thinking {
  const reason =
    obstacle(messages) ?? (maxTokens <= MIN_BUDGET ? 'max_tokens leaves no room for it' : undefined)
  if (reason !== undefined) {
    notes.add('thinking_off', 'thinking', reason)
    return OFF
  }
  const { budget_tokens: asked } = wanted
  const most = isOurs || asked >= maxTokens ? Math.floor(maxTokens / 2) : asked
  const budget = Math.max(MIN_BUDGET, Math.min(asked, most))
  if (budget === asked) return wanted
  if (!isOurs) notes.add('thinking_changed', 'thinking.budget_tokens', `${asked} became ${budget}`)
  return { ...wanted, budget_tokens: budget }
}

/** Why a model that thinks by budget cannot think about this conversation. */
function obstacle(messages: readonly HubMessage[]): string | undefined {
  const spoken = messages.filter(({ role }) => role !== 'system')
  if (spoken.at(-1)?.role === 'assistant') return 'the model is to go on with words of its own'
  const turn = messages.findLast(({ role }) => role === 'assistant')
  if (turn === undefined || !Array.isArray(turn.content) || !awaitsAnswer(turn, messages)) return undefined
  const [first] = turn.content
  return first?.type === 'thinking' || first?.type === 'redacted_thinking'
    ? undefined
    : 'the turn with the latest calls began without thinking that Anthropic has signed'
}

/** Whether nothing but results has come since the latest calls. */
function awaitsAnswer(turn: HubMessage, messages: readonly HubMessage[]): boolean {
  const calls = Array.isArray(turn.content) && turn.content.some(({ type }) => type === 'tool_use')
  const rest = messages.slice(messages.lastIndexOf(turn) + 1)
  return calls && rest.every(({ role, content }) => role === 'system' || holdsResults(content))
}

function holdsResults(content: HubMessage['content']): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === 'tool_result')
}

function withEffort(
  config: HubRequest['output_config'],
  effort: Effort | undefined,
): HubRequest['output_config'] {
  if (config?.effort === effort) return config
  const { effort: _effort, ...rest } = config ?? {}
  if (effort === undefined) return Object.keys(rest).length === 0 ? undefined : rest
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- profiles name only levels that Anthropic knows
  return { ...rest, effort } as HubRequest['output_config']
}

/** Anthropic refuses to clear the thinking of a request that does not think. */
function withoutThinkingEdits(
  management: HubRequest['context_management'],
  { notes }: ThinkingContext,
): HubRequest['context_management'] {
  const edits = management?.edits
  // What is not understood is Anthropic's to refuse.
  if (!Array.isArray(edits)) return management
  const kept = edits.filter((edit) => !clearsThinking(edit))
  if (kept.length === edits.length) return management
  notes.add('field_ignored', 'context_management', 'there is no thinking to be cleared')
  return kept.length === 0 ? undefined : { ...management, edits: kept }
}

function clearsThinking(edit: unknown): boolean {
  return isJsonObject(edit) && String(edit['type']).startsWith('clear_thinking')
}

interface Given {
  readonly thinking: HubRequest['thinking']
  readonly output_config: HubRequest['output_config']
  readonly edits: HubRequest['context_management']
}

function given({ thinking, output_config: config, edits }: Given): Fields {
  return {
    ...(thinking !== undefined && { thinking }),
    ...(config !== undefined && { output_config: config }),
    ...(edits !== undefined && { context_management: edits }),
  }
}

/** Whether a block is thinking that the server has not signed itself, where it signs: it refuses that. */
export function isForeignThinking(block: HubBlock, { unsignedThinking }: Encoding['profile']): boolean {
  if (block.type !== 'thinking') return false
  return block.signature ? openEnvelope(block.signature) !== undefined : unsignedThinking === 'drop'
}
