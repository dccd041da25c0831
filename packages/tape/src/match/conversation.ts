import { hashOf } from './hash-of.ts'
import { isRecord } from './first-difference.ts'

/** Where a request stands in its conversation. */
export interface Conversation {
  /** For each turn the hash of everything up to it. */
  readonly links: readonly string[]
  /** The hash of all turns. */
  readonly whole: string
  /** The hash of everything up to the last turn of the model; undefined if it has not said anything yet. */
  readonly answered: string | undefined
}

/** Says which recorded conversation a conversation continues, where the two are not the same. */
export type Aliases = ReadonlyMap<string, string>

/**
 * Finds the place of a canonical body in its conversation; undefined for a body without messages. What the system
 * says is no turn of it, wherever it stands: Claude Code tells there in which folder it works.
 */
export function conversationOf(body: unknown, aliases?: Aliases): Conversation | undefined {
  const messages = isRecord(body) ? body['messages'] : undefined
  const turns = Array.isArray(messages) ? messages.filter(isTurn) : []
  if (turns.length === 0) return undefined
  const links: string[] = []
  let link = ''
  let answered: string | undefined
  for (const turn of turns) {
    link = hashOf([link, turn])
    // From here on it is the recorded conversation, so the turns that follow find their places too.
    link = aliases?.get(link) ?? link
    links.push(link)
    if (isRecord(turn) && turn['role'] === 'assistant') answered = link
  }
  return { links, whole: link, answered }
}

function isTurn(message: unknown): boolean {
  return !isRecord(message) || (message['role'] !== 'system' && message['role'] !== 'developer')
}
