import { blocksOf, type HubBlock, type HubMessage, type HubToolUse } from '../../hub/request.ts'
import { GEMINI, openEnvelope } from '../../identity/envelope.ts'
import { encodeBlock, noteAnnotations } from './content.ts'
import { type Encoding, wellFormed } from './encoding.ts'
import type { ChatPart, ChatToolCall } from './wire.ts'

/** A surrogate that `JSON.stringify` could not pair. */
const ESCAPED_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/gi

/** What an assistant's turn comes down to in the upstream's form. */
export interface AssistantTurn {
  readonly text: string
  readonly thinking: string
  readonly calls: ChatToolCall[]
}

/** Sorts the blocks of an assistant's turn: one text, one thinking, and the calls. */
export function encodeAssistant(message: HubMessage, path: string, encoding: Encoding): AssistantTurn {
  const blocks = blocksOf(message)
  const signatures = thoughtSignatures(blocks, encoding)
  const calls: ChatToolCall[] = []
  let text = ''
  let thinking = ''
  let previous: HubBlock['type'] | undefined
  for (const [index, block] of blocks.entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_use') {
      calls.push(encodeCall(block, place, { encoding, signature: signatures?.get(block.id) }))
    } else if (isThinking(block)) {
      thinking += replayedThinking(block, place, encoding)
    } else if (block.type !== 'tool_result') {
      const piece = assistantText(encodeBlock(block, place, encoding), place, encoding)
      if (piece === '') continue
      // Neighbouring texts are one sentence cut by citations; across anything else they are two.
      const isSentence = text === '' || (block.type === 'text' && previous === 'text')
      text += isSentence ? piece : `\n\n${piece}`
    }
    previous = block.type
  }
  const turn = { text, thinking, calls }
  noteLoneThinking(turn, path, encoding)
  return turn
}

/** A turn that says and calls nothing is skipped, and its thinking with it. */
function noteLoneThinking({ text, thinking, calls }: AssistantTurn, path: string, encoding: Encoding): void {
  if (thinking !== '' && text === '' && calls.length === 0) noteThinkingDropped(path, encoding)
}

function assistantText(part: ChatPart | undefined, path: string, { notes }: Encoding): string {
  if (part === undefined) return ''
  if (part.type === 'text') return part.text
  notes.add('assistant_media_dropped', path, 'an assistant turn can hold text and calls only')
  return ''
}

type Thinking = Extract<HubBlock, { type: 'thinking' | 'redacted_thinking' }>

function isThinking(block: HubBlock): block is Thinking {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

/** What the upstream is told of earlier thinking; a block that does no more than carry a signature is no loss. */
function replayedThinking(block: Thinking, path: string, encoding: Encoding): string {
  const { replaysThinking, replaysThoughtSignatures } = encoding.profile
  if (block.type === 'thinking' && replaysThinking !== undefined)
    return wellFormed(block.thinking, `${path}.thinking`, encoding.notes)
  const isCarrier = block.type === 'thinking' && block.thinking === '' && openEnvelope(block.signature)
  if (!isCarrier || !replaysThoughtSignatures) noteThinkingDropped(path, encoding)
  return ''
}

function noteThinkingDropped(path: string, { notes }: Encoding): void {
  notes.addOnce('thinking_dropped', path, 'the upstream does not take the thinking of earlier turns back')
}

/** The signatures of calls that were hidden in the thinking of this turn. */
function thoughtSignatures(
  blocks: readonly HubBlock[],
  { profile }: Encoding,
): Map<string, string> | undefined {
  if (!profile.replaysThoughtSignatures) return undefined
  const signatures = new Map<string, string>()
  for (const block of blocks) {
    const envelope = block.type === 'thinking' ? openEnvelope(block.signature) : undefined
    if (envelope?.by === GEMINI && envelope.callId !== undefined)
      signatures.set(envelope.callId, envelope.proof)
  }
  return signatures
}

interface CallContext {
  readonly encoding: Encoding
  readonly signature: string | undefined
}

function encodeCall(call: HubToolUse, path: string, { encoding, signature }: CallContext): ChatToolCall {
  const { names, wireIds, callIds, notes } = encoding
  noteAnnotations(call, path, encoding)
  callIds.add(call.id)
  const id = wireIds.toWire(call.id)
  if (id !== call.id)
    notes.addOnce('call_id_changed', `${path}.id`, 'sent in a form that the upstream accepts')
  const name = names.toWire(call.name)
  if (name !== call.name) notes.addOnce('tool_name_changed', `${path}.name`, `sent as ${name}`)
  const wireCall: ChatToolCall = {
    id,
    type: 'function',
    function: { name, arguments: argumentsText(call.input, path, encoding) },
  }
  return signature === undefined
    ? wireCall
    : Object.assign(wireCall, { extra_content: { google: { thought_signature: signature } } })
}

function argumentsText(input: unknown, path: string, { notes }: Encoding): string {
  const json = JSON.stringify(input ?? {})
  if (!json.includes('\\ud')) return json
  const clean = json.replaceAll(ESCAPED_SURROGATE, '$1\\ufffd')
  if (clean !== json)
    notes.add('surrogate_replaced', `${path}.input`, 'an unpaired surrogate was replaced by U+FFFD')
  return clean
}
