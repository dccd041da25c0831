import type { HubMessage } from '../hub/request.ts'
import type { HistoryNeeds } from './repair.ts'

/** Whether a history needs no repair. Most need none, so this looks once and keeps nothing but the ids. */
export function isLegal(messages: readonly HubMessage[], needs: HistoryNeeds): boolean {
  const ids = new Set<string>()
  let calls = 0
  let awaited: string[] = []
  let previous: HubMessage['role'] | undefined
  for (const message of messages) {
    if (message.role === 'system') {
      if (awaited.length > 0) return false
      continue
    }
    if (!mayFollow(message.role, previous, needs)) return false
    if (message.role === 'user') {
      if (!answers(message, awaited)) return false
      awaited = []
    } else {
      if (awaited.length > 0) return false
      awaited = callsOf(message)
      calls += awaited.length
      for (const id of awaited) ids.add(id)
    }
    previous = message.role
  }
  return awaited.length === 0 && ids.size === calls
}

function mayFollow(
  role: HubMessage['role'],
  previous: HubMessage['role'] | undefined,
  needs: HistoryNeeds,
): boolean {
  if (previous === undefined) return role === 'user' || needs.firstTurn === 'any'
  return role !== previous || staysApart(role, needs.consecutiveTurns)
}

/** Whether a turn may follow another one of the same side. */
export function staysApart(role: HubMessage['role'], consecutive: HistoryNeeds['consecutiveTurns']): boolean {
  return consecutive === 'keep' || (consecutive === 'merge-assistant' && role !== 'assistant')
}

function callsOf({ content }: HubMessage): string[] {
  const calls: string[] = []
  if (typeof content !== 'object') return calls
  for (const block of content) if (block.type === 'tool_use') calls.push(block.id)
  return calls
}

/** Whether a user's turn begins with the results that are due, in the order of their calls, and has no others. */
function answers({ content }: HubMessage, awaited: readonly string[]): boolean {
  if (typeof content !== 'object') return awaited.length === 0
  for (const [index, block] of content.entries()) {
    const isDue = index < awaited.length
    if ((block.type === 'tool_result') !== isDue) return false
    if (block.type === 'tool_result' && block.tool_use_id !== awaited[index]) return false
  }
  return content.length >= awaited.length
}
