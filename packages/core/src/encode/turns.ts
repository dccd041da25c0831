import { isForProviderOnly } from '../clients/habits.ts'
import { type HubError, invalidRequest } from '../hub/error.ts'
import { originOf } from '../hub/origin.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubRequest, type HubToolUse } from '../hub/request.ts'
import type { Encoding } from './encoding.ts'
import { joined, noteAnnotations, wellFormed } from './words.ts'

/** Hears the turns of a conversation, each with its path in the request. */
export interface Turnsener {
  user(message: HubMessage, path: string): void
  assistant(message: HubMessage, path: string): void
  /** What a system message between the turns says. */
  system(text: string, path: string): void
}

/** Walks through a history that may have been repaired. */
export function walkTurns(
  request: HubRequest,
  history: readonly HubMessage[],
  { encoding, listener }: { readonly encoding: Encoding; readonly listener: Turnsener },
): void {
  const lastUser = history.findLastIndex(({ role }) => role === 'user')
  const places = new Places(request.messages)
  for (const [index, message] of history.entries()) {
    const path = `messages[${places.next(message)}]`
    if (message.role !== 'system') listener[message.role](message, path)
    else if (message.clear_at === 'next_user_message' && index < lastUser) {
      encoding.notes.add('system_cleared', path, 'it was meant to last until the next turn of the user')
    } else listener.system(midwayText(message, path, encoding), path)
  }
}

/** Finds where the messages of a repaired history are in the request. */
class Places {
  readonly #messages: readonly HubMessage[]
  /** Made for the first message that is not at the next place: most histories have none. */
  #indexes: ReadonlyMap<HubMessage, number> | undefined
  #place = -1

  constructor(messages: readonly HubMessage[]) {
    this.#messages = messages
  }

  /** The index of the next message; one that the repair has made or changed gets the next index. */
  next(message: HubMessage): number {
    const next = this.#place + 1
    this.#place = this.#messages[next] === message ? next : this.#search(message)
    return this.#place
  }

  #search(message: HubMessage): number {
    this.#indexes ??= new Map(this.#messages.map((element, index) => [element, index]))
    return this.#indexes.get(message) ?? Math.min(this.#place + 1, this.#messages.length - 1)
  }
}

/** The refusal of a conversation of which nothing is left. */
export function nothingToAnswer({ messages }: HubRequest): HubError {
  return invalidRequest(originOf(messages) ?? 'messages', 'expected something to answer, got empty turns')
}

/** Notes that the upstream does not go on with an answer that the client has begun. */
export function notePrefill(
  { messages }: HubRequest,
  history: readonly HubMessage[],
  { notes }: Encoding,
): void {
  if (history.at(-1)?.role !== 'assistant') return
  const index = messages.findLastIndex(({ role }) => role === 'assistant')
  notes.add('prefill_kept', `messages[${index}]`, 'the upstream answers this turn rather than continue it')
}

/** Blocks that only an assistant's turn may have: in a user's turn they can only be a mistake of the client. */
export type AssistantsOwn = HubToolUse | Thinking

/** What the assistant thought. */
export type Thinking = Extract<HubBlock, { type: 'thinking' | 'redacted_thinking' }>

/** Whether a block is what the assistant thought. */
export function isThinking(block: HubBlock): block is Thinking {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

/** Whether a block of a user's turn is the assistant's; that it is left out is noted. */
export function isAssistantsOwn(block: HubBlock, path: string, encoding: Encoding): block is AssistantsOwn {
  if (block.type !== 'tool_use' && !isThinking(block)) return false
  noteUnfit(block, path, { encoding, place: 'user turn' })
  return true
}

/** The system prompt as one text. */
export function systemText(system: HubRequest['system'], encoding: Encoding): string {
  return joinedPrompt(systemTexts(system, encoding))
}

/** The texts of the system prompt, without what is for the client's own provider only. */
export function systemTexts(system: HubRequest['system'], encoding: Encoding): string[] {
  const blocks = typeof system === 'string' ? [{ type: 'text' as const, text: system }] : (system ?? [])
  const texts: string[] = []
  for (const [index, block] of blocks.entries()) {
    const path = `system[${index}]`
    noteAnnotations(block, path, encoding)
    const { text } = block
    if (isForProviderOnly(text)) {
      encoding.notes.add(
        'billing_line_dropped',
        path,
        'it changes with every request and ruins prompt caches',
      )
      continue
    }
    texts.push(wellFormed(text, path, encoding))
  }
  return texts
}

/** The texts of the last system prompt, and what they were joined to. */
let lastTexts: readonly string[] = []
let lastPrompt = ''

/** A prompt that comes again is the very same string, so that a cache of serialized strings finds it by identity. */
function joinedPrompt(texts: readonly string[]): string {
  const isSame = texts.length === lastTexts.length && texts.every((text, index) => text === lastTexts[index])
  if (isSame) return lastPrompt
  lastTexts = texts
  lastPrompt = joined(texts)
  return lastPrompt
}

function midwayText(message: HubMessage, path: string, encoding: Encoding): string {
  const texts: string[] = []
  for (const block of blocksOf(message)) {
    noteAnnotations(block, path, encoding)
    if (block.type === 'tool_addition' || block.type === 'tool_removal') continue
    if (block.type === 'text') texts.push(wellFormed(block.text, path, encoding))
    else noteUnfit(block, path, { encoding, place: 'system message' })
  }
  return joined(texts)
}

function noteUnfit(
  { type }: HubBlock,
  path: string,
  { encoding, place }: { readonly encoding: Encoding; readonly place: string },
): void {
  encoding.notes.add('block_dropped', path, `a ${place} cannot hold a block of the type ${type}`)
}
