import { wireCall } from '../../encode/call.ts'
import { TurnText } from '../../encode/turn-text.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubToolUse } from '../../hub/request.ts'
import { encodeBlock } from './content.ts'
import type { Encoding } from './encoding.ts'
import type { QToolUse } from './wire.ts'

/** What an assistant's turn comes down to in the upstream's form. */
export interface AssistantTurn {
  readonly text: string
  readonly calls: readonly QToolUse[]
}

/** Sorts the blocks of an assistant's turn: one text, and the calls. */
export function encodeAssistant(message: HubMessage, path: string, encoding: Encoding): AssistantTurn {
  const calls: QToolUse[] = []
  const text = new TurnText()
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_use') {
      const { id, name, input } = wireCall(block, place, encoding)
      calls.push({ toolUseId: id, name, input })
      text.interrupt(block.type)
    } else text.add(block.type, wordsOf(block, place, { encoding, text }))
  }
  return { text: text.text, calls }
}

function wordsOf(
  block: Exclude<HubBlock, HubToolUse>,
  path: string,
  { encoding, text }: { readonly encoding: Encoding; readonly text: TurnText },
): string {
  const { notes } = encoding
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
      notes.addOnce('thinking_dropped', path, 'the upstream does not take the thinking of earlier turns back')
      text.interrupt(block.type)
      return ''
    case 'tool_result':
      notes.add('block_dropped', path, "a result cannot stand in an assistant's turn")
      text.interrupt(block.type)
      return ''
    default: {
      const piece = encodeBlock(block, path, encoding)
      if ('text' in piece) return piece.text
      notes.add('assistant_media_dropped', path, 'an assistant turn can hold text and calls only')
      return ''
    }
  }
}
