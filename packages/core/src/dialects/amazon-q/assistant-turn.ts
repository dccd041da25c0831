import { blocksOf, type HubBlock, type HubMessage, type HubToolUse } from '../../hub/request.ts'
import { encodeBlock } from './content.ts'
import { type Encoding, noteAnnotations } from './encoding.ts'
import type { QToolUse } from './wire.ts'

/** What an assistant's turn comes down to in the upstream's form. */
export interface AssistantTurn {
  readonly text: string
  readonly calls: readonly QToolUse[]
}

/** An unpaired surrogate, as `JSON.stringify` writes it. */
const ESCAPED_SURROGATE = /\\ud[89a-f][\da-f]{2}/i

/** Sorts the blocks of an assistant's turn: one text, and the calls. */
export function encodeAssistant(message: HubMessage, path: string, encoding: Encoding): AssistantTurn {
  const calls: QToolUse[] = []
  let text = ''
  let previous: HubBlock['type'] | undefined
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_use') calls.push(encodeCall(block, place, encoding))
    else {
      const words = wordsOf(block, place, encoding)
      // Neighbouring texts are one sentence cut by citations; across anything else they are two.
      const isSentence = text === '' || words === '' || (block.type === 'text' && previous === 'text')
      text += isSentence ? words : `\n\n${words}`
    }
    previous = block.type
  }
  return { text, calls }
}

function wordsOf(block: Exclude<HubBlock, HubToolUse>, path: string, encoding: Encoding): string {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
      encoding.notes.addOnce(
        'thinking_dropped',
        path,
        'the upstream does not take the thinking of earlier turns back',
      )
      return ''
    case 'tool_result':
      encoding.notes.add('block_dropped', path, "a result cannot stand in an assistant's turn")
      return ''
    default: {
      const piece = encodeBlock(block, path, encoding)
      if (piece === undefined) return ''
      if ('text' in piece) return piece.text
      encoding.notes.add('assistant_media_dropped', path, 'an assistant turn can hold text and calls only')
      return ''
    }
  }
}

function encodeCall(call: HubToolUse, path: string, encoding: Encoding): QToolUse {
  const { names, wireIds, callIds, notes } = encoding
  noteAnnotations(call, path, encoding)
  callIds.add(call.id)
  const toolUseId = wireIds.toWire(call.id)
  if (toolUseId !== call.id)
    notes.addOnce('call_id_changed', `${path}.id`, 'sent in a form that the upstream accepts')
  const name = names.toWire(call.name)
  if (name !== call.name) notes.addOnce('tool_name_changed', `${path}.name`, `sent as ${name}`)
  return { toolUseId, name, input: encodeInput(call.input ?? {}, path, encoding) }
}

function encodeInput(input: unknown, path: string, { notes }: Encoding): unknown {
  const json = JSON.stringify(input)
  if (!ESCAPED_SURROGATE.test(json)) return input
  let isChanged = false
  const clean: unknown = JSON.parse(json, (_key, value: unknown) => {
    if (typeof value !== 'string' || value.isWellFormed()) return value
    isChanged = true
    return value.toWellFormed()
  })
  if (isChanged)
    notes.add('surrogate_replaced', `${path}.input`, 'an unpaired surrogate was replaced by U+FFFD')
  return isChanged ? clean : input
}
