import type { Notes } from '../hub/note.ts'
import type { HubBlock, HubMessage, HubToolResult } from '../hub/request.ts'
import { blocksOf } from '../hub/request.ts'
import { blockPath } from './block-path.ts'
import { isLegal } from './is-legal.ts'
import { distinctIds } from './distinct-ids.ts'
import { orphanBlocks } from './orphan-blocks.ts'
import type { CallSlot, PlacedResult } from './pairing.ts'
import { pairing } from './pairing.ts'
import { isStandIn, STAND_IN } from './stand-in.ts'
import type { SpokenMessage, Turn } from './turns.ts'
import { Turns } from './turns.ts'

/** What a target asks of the order of turns. */
export interface HistoryNeeds {
  /** Whether turns of one side in a row stay apart or become one; or only those of the assistant do. */
  readonly consecutiveTurns: 'keep' | 'merge' | 'merge-assistant'
  /** Whose turn the first one may be. */
  readonly firstTurn: 'any' | 'user'
  /** Which one counts where a call has several results: the latest, or an error if there is one. */
  readonly repeatedResults?: 'latest' | 'error'
}

/** What the user is made to say where a conversation has to begin with the user. */
export const OPENING = '(conversation continues)'

/** What the user is made to say where a request may not end with the assistant's turn. */
export const GO_ON = 'Continue.'

/**
 * Makes a history legal: each call is answered directly after its turn, once and in the order of the calls.
 * What is legal already is passed on as the same object; what moves, goes or is invented leaves a note.
 */
export function repair(
  messages: readonly HubMessage[],
  needs: HistoryNeeds,
  notes: Notes,
): readonly HubMessage[] {
  if (isLegal(messages, needs)) return messages
  const repairer = new Repairer(messages, needs, notes)
  const turns = new Turns(needs.consecutiveTurns, notes)
  messages.forEach((message, messageIndex) => repairer.read(message, messageIndex, turns))
  turns.end()

  const repaired = [...turns.leading]
  const [first] = turns.list
  if (needs.firstTurn === 'user' && first?.role === 'assistant') repaired.push(openingTurn(first, notes))
  for (const turn of turns.list) repaired.push(repairer.messageOf(turn), ...turn.after)
  return repaired
}

class Repairer {
  readonly #notes: Notes
  readonly #needs: HistoryNeeds
  readonly #ids: ReadonlyMap<CallSlot, string>
  readonly #callsByMessage: ReadonlyMap<number, CallSlot[]>
  readonly #orphanPaths: ReadonlySet<string>

  constructor(messages: readonly HubMessage[], needs: HistoryNeeds, notes: Notes) {
    const { calls, orphans } = pairing(messages)
    this.#notes = notes
    this.#needs = needs
    this.#ids = distinctIds(calls, notes)
    this.#callsByMessage = Map.groupBy(calls, ({ messageIndex }) => messageIndex)
    this.#orphanPaths = new Set(orphans.map(blockPath))
  }

  read(message: HubMessage, messageIndex: number, turns: Turns): void {
    if (message.role === 'system') {
      turns.system(message, messageIndex)
      return
    }
    if (message.role === 'user') {
      turns.user({ messageIndex, message, own: this.#withoutResults(message, messageIndex) })
      return
    }
    const calls = this.#callsByMessage.get(messageIndex) ?? []
    turns.assistant({ messageIndex, message, own: this.#withDistinctIds(message, calls) }, calls)
  }

  messageOf(turn: Turn): HubMessage {
    const results = turn.role === 'user' ? turn.calls.map((call) => this.#answer(call, turn)) : []
    const content = [...results, ...turn.parts.flatMap(({ own }) => own)]
    const [part] = turn.parts
    if (part === undefined) return { role: turn.role, content }
    return turn.parts.length === 1 && says(part.message, content)
      ? part.message
      : { ...part.message, content }
  }

  #withDistinctIds(message: SpokenMessage, calls: readonly CallSlot[]): readonly HubBlock[] {
    const blocks = blocksOf(message)
    if (!calls.some((call) => this.#ids.has(call))) return blocks
    const renamed = [...blocks]
    for (const call of calls) {
      const id = this.#ids.get(call)
      if (id !== undefined) renamed[call.blockIndex] = { ...call.block, id }
    }
    return renamed
  }

  #withoutResults(message: SpokenMessage, messageIndex: number): readonly HubBlock[] {
    const blocks = blocksOf(message)
    if (!blocks.some(({ type }) => type === 'tool_result')) return blocks
    return blocks.flatMap((block, blockIndex) => {
      if (block.type !== 'tool_result') return block
      const path = blockPath({ messageIndex, blockIndex })
      if (!this.#orphanPaths.has(path)) return []
      const id = block.tool_use_id
      this.#notes.add(
        'result_without_call',
        path,
        `there is no call ${id} before this result: it is now user text`,
      )
      return orphanBlocks(block)
    })
  }

  #answer(call: CallSlot, turn: Turn): HubToolResult {
    const id = this.#idOf(call)
    const result = resultThatCounts(call.results, this.#needs)
    if (result === undefined) {
      const words = `call ${call.block.id} of ${call.block.name} has no result: a stand-in says that it was interrupted`
      this.#notes.add('result_invented', blockPath(call), words)
      return standIn(call, id)
    }
    const which = result === call.results.at(-1) ? 'a later result' : 'a result that is an error'
    for (const other of call.results) {
      if (other === result) continue
      const words = `call ${call.block.id} has ${which} (${blockPath(result)}), which replaces this one`
      this.#notes.add('result_duplicate', blockPath(other), words)
    }
    if (!standsIn(turn, result)) {
      this.#notes.add('result_moved', blockPath(result), `moved next to its call (${blockPath(call)})`)
    }
    return id === result.block.tool_use_id ? result.block : { ...result.block, tool_use_id: id }
  }

  #idOf(call: CallSlot): string {
    return this.#ids.get(call) ?? call.block.id
  }
}

function openingTurn(first: Turn, notes: Notes): HubMessage {
  const path = `messages[${first.parts[0]?.messageIndex ?? 0}]`
  notes.add(
    'turn_invented',
    path,
    'the target wants the user to begin: a minimal user turn was put before this one',
  )
  return { role: 'user', content: OPENING }
}

/** An error that only stands for a result that had not come is no error that could win over the result itself. */
function resultThatCounts(
  results: readonly PlacedResult[],
  { repeatedResults }: HistoryNeeds,
): PlacedResult | undefined {
  const latest = results.at(-1)
  if (repeatedResults !== 'error') return latest
  return results.findLast(({ block }) => block.is_error === true && !isStandIn(wordsOf(block))) ?? latest
}

function wordsOf({ content }: HubToolResult): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('')
}

function standIn({ block }: CallSlot, id: string): HubToolResult {
  const result: HubToolResult = {
    type: 'tool_result',
    tool_use_id: id,
    content: STAND_IN,
    is_error: true,
  }
  // The result of a toolset's member has to name the toolset as its call does.
  return block.toolset_name ? { ...result, toolset_name: block.toolset_name } : result
}

/** Parts are consecutive messages of the user, so the first and the last are enough. */
function standsIn({ parts }: Turn, { messageIndex }: PlacedResult): boolean {
  const first = parts[0]?.messageIndex ?? Infinity
  const last = parts.at(-1)?.messageIndex ?? -Infinity
  return first <= messageIndex && messageIndex <= last
}

function says(message: HubMessage, blocks: readonly HubBlock[]): boolean {
  const own = blocksOf(message)
  if (own.length !== blocks.length) return false
  // A string holds no result: with the number of blocks unchanged it is its one text still.
  return typeof message.content === 'string' || own.every((block, index) => block === blocks[index])
}
