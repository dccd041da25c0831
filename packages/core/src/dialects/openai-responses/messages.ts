import { wellFormed } from '../../encode/well-formed.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { LongTexts } from '../../json/long-texts.ts'
import { encodeAssistant } from './assistant-turn.ts'
import { encodeBlock, encodeResult, noteAnnotations, textPart } from './content.ts'
import type { Encoding } from './encoding.ts'
import { schemaInstruction } from './parameters.ts'
import type { InputItem, InputPart } from './wire.ts'

/** A line that changes with every request and would ruin the upstream's prompt cache. */
const BILLING_LINE = 'x-anthropic-billing-header:'

/** A system prompt comes again with every request. */
const wellFormedTexts = new LongTexts((text) => text.isWellFormed())

/** The system prompt, where the upstream wants it. */
export function encodeInstructions(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const texts = [...systemTexts(request.system, encoding), schemaInstruction(request, encoding)]
  const instructions = joined(texts)
  return instructions === '' ? {} : { instructions }
}

/** The whole conversation as items, turn by turn. */
export function encodeInput(
  request: HubRequest,
  messages: readonly HubMessage[],
  encoding: Encoding,
): InputItem[] {
  const items: InputItem[] = []
  const lastUser = messages.findLastIndex((message) => message.role === 'user')
  let place = 0
  for (const [index, message] of messages.entries()) {
    place = placeOf(message, request.messages, place)
    const context = { path: `messages[${place}]`, encoding, isCleared: index < lastUser }
    items.push(...encodeTurn(message, context))
  }
  return items
}

/** Where a message was in the request; one that the repair has made or changed is at the next free place. */
function placeOf(message: HubMessage, original: readonly HubMessage[], previous: number): number {
  const next = original[previous] === message ? previous : previous + 1
  const found = [next, next + 1].find((index) => original[index] === message)
  return Math.min(found ?? next, original.length - 1)
}

interface TurnContext {
  readonly path: string
  readonly encoding: Encoding
  /** A user's turn follows: system messages that were meant to last until then are gone. */
  readonly isCleared: boolean
}

function encodeTurn(message: HubMessage, { path, encoding, isCleared }: TurnContext): readonly InputItem[] {
  switch (message.role) {
    case 'assistant':
      return encodeAssistant(message, path, encoding)
    case 'user':
      return encodeUser(message, path, encoding)
    case 'system':
      if (message.clear_at === 'next_user_message' && isCleared) {
        encoding.notes.add('system_cleared', path, 'it was meant to last until the next turn of the user')
        return []
      }
      return encodeMidway(message, path, encoding)
  }
}

function systemTexts(system: HubRequest['system'], encoding: Encoding): string[] {
  const blocks = typeof system === 'string' ? [{ type: 'text' as const, text: system }] : (system ?? [])
  return blocks.flatMap((block, index) => {
    const path = `system[${index}]`
    noteAnnotations(block, path, encoding)
    const { text } = block
    if (text.startsWith(BILLING_LINE)) {
      const message = 'it changes with every request and ruins prompt caches'
      encoding.notes.add('billing_line_dropped', path, message)
      return []
    }
    return [wellFormedTexts.about(text) ? text : wellFormed(text, path, encoding.notes)]
  })
}

function encodeMidway(message: HubMessage, path: string, encoding: Encoding): InputItem[] {
  const texts: string[] = []
  for (const block of blocksOf(message)) {
    noteAnnotations(block, path, encoding)
    if (block.type === 'tool_addition' || block.type === 'tool_removal') continue
    if (block.type === 'text') texts.push(wellFormed(block.text, path, encoding.notes))
    else {
      const words = `a system message cannot hold a block of the type ${block.type}`
      encoding.notes.add('block_dropped', path, words)
    }
  }
  const text = joined(texts)
  const { systemRole: role } = encoding.profile
  return text === '' ? [] : [{ type: 'message', role, content: [textPart(text)] }]
}

/** First all results, as the upstream wants them behind their calls; then everything else in order. */
function encodeUser(message: HubMessage, path: string, encoding: Encoding): InputItem[] {
  const outputs: InputItem[] = []
  const parts: InputPart[] = []
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') {
      const call_id = encoding.wireIds.toWire(block.tool_use_id)
      outputs.push({ type: 'function_call_output', call_id, output: encodeResult(block, place, encoding) })
    } else parts.push(...userParts(block, place, encoding))
  }
  return parts.length === 0 ? outputs : [...outputs, { type: 'message', role: 'user', content: parts }]
}

function userParts(block: HubBlock, path: string, encoding: Encoding): InputPart[] {
  if (block.type === 'tool_use' || block.type === 'tool_result') return []
  // Thinking is the assistant's; in a user's turn it can only be a mistake of the client.
  if (block.type === 'thinking' || block.type === 'redacted_thinking') {
    encoding.notes.add('block_dropped', path, `a user turn cannot hold a block of the type ${block.type}`)
    return []
  }
  const part = encodeBlock(block, path, encoding)
  return part === undefined ? [] : [part]
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}
