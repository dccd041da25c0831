import { isJsonObject } from '@hydra/core'
import { hashOf } from './hash-of.ts'
import { firstDifference } from './first-difference.ts'
import { messageWithoutReminders } from './reminders.ts'

/** The position of a request in its conversation. */
export interface Conversation {
  /** By all that its turns say. */
  readonly full: Thread
  /** By what is left of them without the reminders of the client, which tell the state of a folder, not a turn. */
  readonly spoken: Thread
}

/** The turns of a conversation, by their hashes. */
export interface Thread {
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
 * says is no turn of it, wherever it is: Claude Code tells there in which folder it works.
 */
export function conversationOf(body: unknown, aliases?: Aliases): Conversation | undefined {
  const messages = isJsonObject(body) ? body['messages'] : undefined
  const turns = Array.isArray(messages) ? messages.filter(isTurn) : []
  if (turns.length === 0) return undefined
  const full = threadOf(turns, { kind: 'full', aliases })
  const spoken = turns.map(spokenTurn).filter((turn) => turn !== undefined)
  const opening = openingOf(spoken)
  // Where a client begins with reminders alone, there is nothing else to know a conversation by.
  if (opening.length === 0) return { full, spoken: full }
  // What is asked beside a conversation may be the same words without a reminder; its answer is another one.
  const isReminded = firstDifference(openingOf(turns), opening) !== undefined
  return { full, spoken: threadOf(spoken, { kind: isReminded ? 'reminded' : 'plain', aliases }) }
}

interface ThreadRules {
  /** Hashes of different kinds are never the same. */
  readonly kind: string
  readonly aliases: Aliases | undefined
}

function threadOf(turns: readonly unknown[], { kind, aliases }: ThreadRules): Thread {
  const links: string[] = []
  let link = kind
  let answered: string | undefined
  for (const turn of turns) {
    link = hashOf([link, turn])
    // From here on it is the recorded conversation, so the turns that follow find their places too.
    link = aliases?.get(link) ?? link
    links.push(link)
    if (isOfModel(turn)) answered = link
  }
  return { links, whole: link, answered }
}

/** A turn without reminders; undefined if it says nothing else. */
function spokenTurn(turn: unknown): unknown {
  const spoken = messageWithoutReminders(turn)
  if (spoken === turn || !isJsonObject(spoken)) return turn
  const { content } = spoken
  if (!Array.isArray(content)) return content === '' ? undefined : spoken
  const said = content.filter((block) => !isJsonObject(block) || block['text'] !== '')
  return said.length === 0 ? undefined : { ...spoken, content: said }
}

/** What is said before the model says anything. */
function openingOf(turns: readonly unknown[]): readonly unknown[] {
  const first = turns.findIndex(isOfModel)
  return first === -1 ? turns : turns.slice(0, first)
}

function isOfModel(turn: unknown): boolean {
  return isJsonObject(turn) && turn['role'] === 'assistant'
}

/** Whether a message is a turn: what the system says is none. */
export function isTurn(message: unknown): boolean {
  return !isJsonObject(message) || (message['role'] !== 'system' && message['role'] !== 'developer')
}
