import { LongTexts } from '../../json/long-texts.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { encodeAssistant } from './assistant-turn.ts'
import { encodeBlock, noteAnnotations } from './content.ts'
import { type Encoding, wellFormed } from './encoding.ts'
import { MessageList } from './message-list.ts'
import { schemaInstruction } from './parameters.ts'
import type { ChatMessage, ChatPart } from './wire.ts'

/** A line that changes with every request and would ruin the upstream's prompt cache. */
const BILLING_LINE = 'x-anthropic-billing-header:'

/** The whole conversation in the upstream's form: the system prompt, then turn by turn. */
export function encodeMessages(
  request: HubRequest,
  messages: readonly HubMessage[],
  encoding: Encoding,
): ChatMessage[] {
  const list = new MessageList(encoding)
  list.system(joined([systemText(request.system, encoding), schemaInstruction(request, encoding)]))
  const lastUser = messages.findLastIndex((message) => message.role === 'user')
  let place = 0
  for (const [index, message] of messages.entries()) {
    place = placeOf(message, request.messages, place)
    encodeTurn(message, `messages[${place}]`, { list, encoding, isCleared: index < lastUser })
  }
  return list.messages
}

/** Where a message stood in the request; one that the repair has made or changed stands at the next free place. */
function placeOf(message: HubMessage, original: readonly HubMessage[], previous: number): number {
  const next = original[previous] === message ? previous : previous + 1
  const found = [next, next + 1].find((index) => original[index] === message)
  return Math.min(found ?? next, original.length - 1)
}

interface TurnContext {
  readonly list: MessageList
  readonly encoding: Encoding
  /** A user's turn follows: system messages that were meant to last until then are gone. */
  readonly isCleared: boolean
}

function encodeTurn(message: HubMessage, path: string, { list, encoding, isCleared }: TurnContext): void {
  switch (message.role) {
    case 'assistant':
      list.assistant(encodeAssistant(message, path, encoding), path)
      return
    case 'user':
      encodeUser(message, path, list)
      return
    case 'system':
      if (message.clear_at === 'next_user_message' && isCleared) {
        encoding.notes.add('system_cleared', path, 'it was meant to last until the next turn of the user')
        return
      }
      list.systemMidway(midwayText(message, path, encoding), path)
  }
}

/** A system prompt comes again with every request. */
const wellFormedTexts = new LongTexts((text) => text.isWellFormed())

function systemText(system: HubRequest['system'], encoding: Encoding): string {
  const blocks = typeof system === 'string' ? [{ type: 'text' as const, text: system }] : (system ?? [])
  const texts: string[] = []
  for (const [index, block] of blocks.entries()) {
    const path = `system[${index}]`
    noteAnnotations(block, path, encoding)
    if (block.text.startsWith(BILLING_LINE)) {
      encoding.notes.add(
        'billing_line_dropped',
        path,
        'it changes with every request and ruins prompt caches',
      )
      continue
    }
    const { text } = block
    texts.push(wellFormedTexts.about(text) ? text : wellFormed(text, path, encoding.notes))
  }
  return joinedPrompt(texts)
}

function midwayText(message: HubMessage, path: string, encoding: Encoding): string {
  const texts: string[] = []
  for (const block of blocksOf(message)) {
    noteAnnotations(block, path, encoding)
    if (block.type === 'tool_addition' || block.type === 'tool_removal') continue
    if (block.type !== 'text') {
      encoding.notes.add(
        'block_dropped',
        path,
        `a system message cannot hold a block of the type ${block.type}`,
      )
      continue
    }
    texts.push(wellFormed(block.text, path, encoding.notes))
  }
  return joined(texts)
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** The texts of the last system prompt, and what they were joined to. */
let lastTexts: readonly string[] = []
let lastPrompt = ''

/** A prompt that comes again is the very same string, so that whoever writes it down has it written already. */
function joinedPrompt(texts: readonly string[]): string {
  const isSame = texts.length === lastTexts.length && texts.every((text, index) => text === lastTexts[index])
  if (isSame) return lastPrompt
  lastTexts = texts
  lastPrompt = joined(texts)
  return lastPrompt
}

/** First all results, as the upstream wants them directly behind their calls; then everything else in order. */
function encodeUser(message: HubMessage, path: string, list: MessageList): void {
  const parts: ChatPart[] = []
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') parts.push(...list.toolResult(block, place))
    else addPart(parts, block, { path: place, encoding: list.encoding })
  }
  list.user(parts)
}

function addPart(
  parts: ChatPart[],
  block: HubBlock,
  { path, encoding }: { path: string; encoding: Encoding },
): void {
  if (block.type === 'tool_use' || block.type === 'tool_result') return
  // Thinking is the assistant's; in a user's turn it can only be a mistake of the client.
  if (block.type === 'thinking' || block.type === 'redacted_thinking') {
    encoding.notes.add('block_dropped', path, `a user turn cannot hold a block of the type ${block.type}`)
    return
  }
  const part = encodeBlock(block, path, encoding)
  if (part !== undefined) parts.push(part)
}
