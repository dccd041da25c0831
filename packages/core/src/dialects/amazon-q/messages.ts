import { blocksOf, type HubBlock, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { encodeAssistant } from './assistant-turn.ts'
import { encodeBlock, encodeResult } from './content.ts'
import { type Encoding, joined, noteAnnotations, wellFormed } from './encoding.ts'
import { type StrictTurns, TurnList, type UserTurn } from './message-list.ts'
import type { QImage, QToolResult } from './wire.ts'

/** A line that changes with every request and would ruin the upstream's prompt cache. */
const BILLING_LINE = 'x-anthropic-billing-header:'

/** The conversation in strict turns; nothing if nobody says anything in it. */
export function encodeMessages(
  request: HubRequest,
  history: readonly HubMessage[],
  encoding: Encoding,
): StrictTurns | undefined {
  const list = new TurnList(encoding)
  const places = new Map(request.messages.map((message, index) => [message, index]))
  const lastUser = history.findLastIndex(({ role }) => role === 'user')
  let place = -1
  for (const [index, message] of history.entries()) {
    // What the repair has made or changed stands at the next place.
    place = places.get(message) ?? Math.min(place + 1, request.messages.length - 1)
    const path = `messages[${place}]`
    if (message.role === 'assistant') list.assistant(encodeAssistant(message, path, encoding), path)
    else if (message.role === 'user') list.user(encodeUser(message, path, encoding), path)
    else if (message.clear_at === 'next_user_message' && index < lastUser) {
      encoding.notes.add('system_cleared', path, 'it was meant to last until the next turn of the user')
    } else list.reminder(midwayText(message, path, encoding), path)
  }
  return list.finish(`messages[${place}]`)
}

/** The system prompt as one text. */
export function systemText(system: HubRequest['system'], encoding: Encoding): string {
  const blocks = typeof system === 'string' ? [{ type: 'text' as const, text: system }] : (system ?? [])
  const texts = blocks.map((block, index) => {
    const path = `system[${index}]`
    noteAnnotations(block, path, encoding)
    if (!block.text.startsWith(BILLING_LINE)) return wellFormed(block.text, path, encoding)
    encoding.notes.add('billing_line_dropped', path, 'it changes with every request and ruins prompt caches')
    return ''
  })
  return joined(texts)
}

function midwayText(message: HubMessage, path: string, encoding: Encoding): string {
  const texts: string[] = []
  for (const block of blocksOf(message)) {
    noteAnnotations(block, path, encoding)
    if (block.type === 'tool_addition' || block.type === 'tool_removal') continue
    if (block.type === 'text') texts.push(wellFormed(block.text, path, encoding))
    else noteDropped(block, path, { encoding, place: 'system message' })
  }
  return joined(texts)
}

function encodeUser(message: HubMessage, path: string, encoding: Encoding): UserTurn {
  const texts: string[] = []
  const images: QImage[] = []
  const results: QToolResult[] = []
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') {
      const encoded = encodeResult(block, place, encoding)
      results.push(encoded.result)
      images.push(...encoded.images)
    } else if (isAssistantsOwn(block)) {
      noteDropped(block, place, { encoding, place: 'user turn' })
    } else {
      const piece = encodeBlock(block, place, encoding)
      if (piece === undefined) continue
      if ('image' in piece) images.push(piece.image)
      else texts.push(piece.text)
    }
  }
  return { text: joined(texts), images, results }
}

type AssistantsOwn = Extract<HubBlock, { type: 'tool_use' | 'thinking' | 'redacted_thinking' }>

/** In a user's turn these can only be a mistake of the client. */
function isAssistantsOwn(block: HubBlock): block is AssistantsOwn {
  return block.type === 'tool_use' || block.type === 'thinking' || block.type === 'redacted_thinking'
}

function noteDropped(
  { type }: HubBlock,
  path: string,
  { encoding, place }: { readonly encoding: Encoding; readonly place: string },
): void {
  encoding.notes.add('block_dropped', path, `a ${place} cannot hold a block of the type ${type}`)
}
