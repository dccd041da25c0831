import {
  blocksOf,
  hasUsersWords,
  HubError,
  type HubMessage,
  type HubRequest,
  type Note,
  Notes,
  validate,
} from '@hydra/core'

/** A history that may be too long. */
export interface TrimInput {
  readonly system: HubRequest['system']
  readonly messages: readonly HubMessage[]
}

/** What is left of a history, and what is not. */
export interface Trimmed {
  readonly messages: readonly HubMessage[]
  readonly notes: readonly Note[]
}

/** A strategy: gives the messages that stay, and notes what goes. It sees the system prompt but cannot drop it. */
export type Trim = (history: TrimInput, notes: Notes) => readonly HubMessage[]

/** Counts the tokens of messages; `countTokens` of `@hydra/tokens` is one. */
export type CountTokens = (prompt: { readonly messages: HubMessage[] }) => number

/** Applies a strategy, and refuses what it made if a call lost its result or the user's turn was lost. */
export function trimHistory(history: TrimInput, trim: Trim): Trimmed {
  const notes = new Notes()
  const messages = trim(history, notes)
  const latest = history.messages.findLast(hasUsersWords)
  if (latest !== undefined && !messages.some((message) => saysThe(message, latest))) {
    throw new HubError('api_error', 'trimming: expected the latest turn of the user to stay, but it is gone')
  }
  const before = new Set(faultsOf(history.messages))
  const fault = faultsOf(messages).find((text) => !before.has(text))
  if (fault !== undefined) throw new HubError('api_error', `trimming: ${fault}`)
  return { messages, notes: notes.list }
}

/** The turn itself, or what the user said in a turn that also has results. */
function saysThe(message: HubMessage, latest: HubMessage): boolean {
  if (message === latest) return true
  const said = blocksOf(latest).filter(({ type }) => type !== 'tool_result')
  const kept = new Set(blocksOf(message))
  return (
    message.role === 'user' && typeof latest.content !== 'string' && said.every((block) => kept.has(block))
  )
}

function faultsOf(messages: readonly HubMessage[]): string[] {
  return validate(messages).flatMap(({ code, message, messageIndex, blockIndex }) => {
    if (code === 'consecutive_roles' || code === 'first_turn_not_user') return []
    const at = messages[messageIndex]
    const block = at === undefined ? undefined : blocksOf(at)[blockIndex ?? 0]
    if (block?.type === 'tool_use') return `call ${block.id} has lost its result`
    return block?.type === 'tool_result' ? `the result of ${block.tool_use_id} has lost its call` : message
  })
}
