import { hasUsersWords, type HubBlock, type HubMessage, type HubToolResult, type Notes } from '@hydra/core'
import { hasCalls, historyUnits } from './history-units.ts'
import type { CountTokens, Trim } from './trim.ts'

/** A limit in tokens, and how they are counted. */
export interface TokenLimit {
  /** How many tokens the messages may have; the system prompt and the tools are not counted. */
  readonly limit: number
  readonly count: CountTokens
}

/** Keeps the latest turns of the user, each with all that followed it. */
export function trimByTurns(turns: number): Trim {
  return ({ messages }, notes) => {
    const starts = messages.flatMap((message, index) => (hasUsersWords(message) ? [index] : []))
    const from = starts.at(-Math.max(1, turns)) ?? 0
    const first = starts.length <= turns ? 0 : from
    return messages.filter((message, index) => index >= first || stays(message, index, notes))
  }
}

/** What was said before all turns of the user that are kept is gone, but for system messages. */
function stays(message: HubMessage, index: number, notes: Notes): boolean {
  if (message.role === 'system') return true
  notes.add(
    'message_trimmed',
    `messages[${index}]`,
    `a message of the ${message.role} before the latest turns`,
  )
  return false
}

/**
 * Drops the oldest turns of the user with all that followed them, then the oldest rounds of the latest turn,
 * until the rest fits. The latest turn of the user and the latest round are never dropped.
 */
export function trimByTokens({ limit, count }: TokenLimit): Trim {
  return ({ messages }, notes) => {
    const groups = groupsOf(messages)
    let total = count({ messages: [...messages] })
    const gone = new Set<number>()
    for (const { droppable, places } of groups) {
      if (total <= limit) break
      if (!droppable) continue
      const dropped = places.map(({ message }) => message)
      total -= count({ messages: dropped })
      for (const { message, index } of places) {
        gone.add(index)
        notes.add('message_trimmed', `messages[${index}]`, `a message of the ${message.role}, to save room`)
      }
    }
    noteOverLimit(total, limit, notes)
    return messages.filter((_, index) => !gone.has(index))
  }
}

/** Empties the oldest results of tools until the rest fits; those of the latest round stay. */
export function trimToolResults({ limit, count }: TokenLimit): Trim {
  return ({ messages }, notes) => {
    const latestRound = messages.findLastIndex(hasCalls)
    let total = count({ messages: [...messages] })
    const trimmed = messages.map((message, index): HubMessage => {
      if (index > latestRound || message.role !== 'user' || typeof message.content !== 'object')
        return message
      if (total <= limit) return message
      const content = message.content.map((block, at): HubBlock => {
        if (block.type !== 'tool_result' || total <= limit) return block
        const empty = emptied(block)
        const saved = count({ messages: [only(block)] }) - count({ messages: [only(empty)] })
        if (saved <= 0) return block
        total -= saved
        notes.add(
          'result_trimmed',
          `messages[${index}].content[${at}]`,
          `the content of ${block.tool_use_id}`,
        )
        return empty
      })
      return content.every((block, at) => block === message.content[at]) ? message : { ...message, content }
    })
    noteOverLimit(total, limit, notes)
    return trimmed
  }
}

function emptied(result: HubToolResult): HubToolResult {
  return { ...result, content: '[This result was removed to save room. Call the tool again if you need it.]' }
}

function only(result: HubToolResult): HubMessage {
  return { role: 'user', content: [result] }
}

function noteOverLimit(total: number, limit: number, notes: Notes): void {
  if (total <= limit) return
  notes.add(
    'still_too_long',
    '',
    `${total} tokens are left, which is more than ${limit}: no more may be dropped`,
  )
}

interface Group {
  readonly places: readonly Place[]
  readonly droppable: boolean
}

interface Place {
  readonly message: HubMessage
  readonly index: number
}

/** What may be dropped together, oldest first: whole earlier turns, then the rounds of the latest one. */
function groupsOf(messages: readonly HubMessage[]): Group[] {
  const latest = messages.findLastIndex(hasUsersWords)
  const newest = messages.findLastIndex(({ role }) => role !== 'system')
  const groups: Place[][] = []
  let index = 0
  for (const unit of historyUnits(messages)) {
    const places = unit.map((message, at) => ({ message, index: index + at }))
    const begins = unit.some(hasUsersWords) || index >= latest || groups.length === 0
    if (begins) groups.push(places)
    else groups.at(-1)?.push(...places)
    index += unit.length
  }
  return groups.map((places) => ({
    places: places.filter(({ message }) => message.role !== 'system'),
    droppable: places.every((place) => place.index !== latest && place.index !== newest),
  }))
}
