import { isMarked, partsOf } from '../../encode/cache-marks.ts'
import type { HubBlock, HubMessage, HubRequest } from '../../hub/request.ts'

/** The parts of a request that may carry marks, in the order in which Anthropic reads them. */
type Marked = Pick<HubRequest, 'tools' | 'system' | 'messages'>

const MARK = { type: 'ephemeral' } as const
/** How many marks Anthropic takes. */
const MAX_MARKS = 4
/** How many of the latest turns of the user carry a mark: the second one finds what the request before has cached. */
const MARKED_TURNS = 2

/**
 * Marks what is worth caching: the tools, the system prompt, and the latest turns of the user. A longer conversation
 * of the same client differs from a shorter one in nothing but the marks of the turns that both have.
 */
export function markCaches(request: Marked): Marked {
  const { tools, system, messages } = request
  return {
    ...(tools !== undefined && { tools: withLastMarked(tools) }),
    ...(system !== undefined && { system: withLastMarked(blocksOfSystem(system)) }),
    messages: markTurns(messages),
  }
}

/** The same request with the latest marks alone, where there are more than Anthropic takes: OpenAI's clients may set more. */
export function withLatestMarks(request: Marked): Marked {
  const surplus = new Set(partsOf(request).filter(isMarked).slice(0, -MAX_MARKS))
  if (surplus.size === 0) return request
  const part = <Part extends object>(given: Part): Part => (surplus.has(given) ? withoutMark(given) : given)
  const block = (given: HubBlock): HubBlock => {
    const kept = part(given)
    if (kept.type !== 'tool_result' || !Array.isArray(kept.content)) return kept
    return { ...kept, content: kept.content.map(part) }
  }
  const { tools, system, messages } = request
  return {
    ...(tools !== undefined && { tools: tools.map(part) }),
    ...(system !== undefined && { system: typeof system === 'string' ? system : system.map(part) }),
    messages: messages.map((message) => withContent(message, block)),
  }
}

function withContent(message: HubMessage, change: (block: HubBlock) => HubBlock): HubMessage {
  if (!Array.isArray(message.content)) return message
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a block becomes one of the same type
  return { ...message, content: message.content.map(change) } as HubMessage
}

function withoutMark<Part extends object>(part: Part): Part {
  const { cache_control: _mark, ...rest } = part as Part & { cache_control?: unknown }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no part has to have a mark
  return rest as unknown as Part
}

function markTurns(messages: readonly HubMessage[]): HubMessage[] {
  const places = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  const marked = new Set(places.slice(-MARKED_TURNS))
  return messages.map((message, index) => {
    if (message.role !== 'user') return message
    // A text is a block in every turn, so that a turn stays the same when its mark is gone.
    const { content } = message
    const blocks: HubBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    if (marked.has(index)) return { ...message, content: withLastMarked(blocks) }
    return blocks === content ? message : { ...message, content: blocks }
  })
}

function blocksOfSystem(
  system: NonNullable<HubRequest['system']>,
): Exclude<HubRequest['system'], string | undefined> {
  return typeof system === 'string' ? [{ type: 'text', text: system }] : system
}

function withLastMarked<Part extends object>(parts: readonly Part[]): Part[] {
  const last = parts.at(-1)
  return last === undefined ? [] : [...parts.slice(0, -1), { ...last, cache_control: MARK }]
}
