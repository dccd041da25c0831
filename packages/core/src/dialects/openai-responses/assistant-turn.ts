import { wireCall } from '../../encode/call.ts'
import { isThinking, type Thinking } from '../../encode/turns.ts'
import { wellFormed } from '../../encode/words.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubToolUse } from '../../hub/request.ts'
import { textOfInput } from '../../hub/input-text.ts'
import { openEnvelope } from '../../identity/envelope.ts'
import { encodeBlock } from './content.ts'
import type { Encoding } from './encoding.ts'
import { type InputItem, NAME } from './wire.ts'

/** The items of an assistant's turn, in the order of its blocks; ids are left out, so that none can be wrong. */
export function encodeAssistant(message: HubMessage, path: string, encoding: Encoding): InputItem[] {
  const items: InputItem[] = []
  let texts: { type: 'output_text'; text: string }[] | undefined
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') continue
    if (block.type === 'tool_use' || isThinking(block)) {
      const item =
        block.type === 'tool_use'
          ? encodeCall(block, place, encoding)
          : encodeThinking(block, place, encoding)
      if (item === undefined) continue
      items.push(item)
      texts = undefined
      continue
    }
    const text = assistantText(block, place, encoding)
    if (text === '') continue
    // Texts that follow each other are parts of one message.
    if (texts === undefined) {
      texts = []
      items.push(assistantMessage(texts))
    }
    texts.push({ type: 'output_text', text })
  }
  return withoutLoneReasoning(items, path, encoding)
}

/** The API takes an assistant's message without its id and status, though the types do not say so. */
function assistantMessage(content: { type: 'output_text'; text: string }[]): InputItem {
  return { type: 'message', role: 'assistant', content } as unknown as InputItem
}

/** Reasoning that nothing follows is refused: the turn broke off before it came to anything. */
function withoutLoneReasoning(items: readonly InputItem[], path: string, encoding: Encoding): InputItem[] {
  const end = items.findLastIndex((item) => item.type !== 'reasoning') + 1
  if (end < items.length) {
    const message = 'the upstream takes reasoning only with what followed it in the same turn'
    encoding.notes.add('thinking_dropped', path, message)
  }
  return items.slice(0, end)
}

/** Earlier reasoning, if it is this provider's own; a proof never reaches one that did not make it. */
function encodeThinking(block: Thinking, path: string, encoding: Encoding): InputItem | undefined {
  const { profile, notes } = encoding
  const envelope = block.type === 'thinking' ? openEnvelope(block.signature) : undefined
  const text = block.type === 'thinking' ? wellFormed(block.thinking, `${path}.thinking`, encoding) : ''
  if (envelope?.by === NAME) {
    const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }]
    return reasoningItem({ summary, encrypted_content: envelope.proof })
  }
  if (profile.replaysPlainReasoning && text !== '') {
    return reasoningItem({ summary: [], content: [{ type: 'reasoning_text', text }] })
  }
  notes.addOnce('thinking_dropped', path, 'thinking that is not from this upstream is not sent to it')
  return undefined
}

/** The types want an id here too, which the API does without where it keeps nothing. */
function reasoningItem(fields: Record<string, unknown>): InputItem {
  return { type: 'reasoning', ...fields } as unknown as InputItem
}

function assistantText(block: Exclude<HubBlock, Thinking>, path: string, encoding: Encoding): string {
  if (block.type === 'tool_use' || block.type === 'tool_result') return ''
  const part = encodeBlock(block, path, encoding)
  if (part === undefined) return ''
  if (part.type === 'input_text') return part.text
  encoding.notes.add('assistant_media_dropped', path, 'an assistant turn can hold text and calls only')
  return ''
}

function encodeCall(call: HubToolUse, path: string, encoding: Encoding): InputItem {
  const { id, name, input } = wireCall(call, path, encoding)
  return { type: 'function_call', call_id: id, name, arguments: textOfInput(input) }
}
