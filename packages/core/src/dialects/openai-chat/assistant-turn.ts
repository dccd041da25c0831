import { wireCall } from '../../encode/call.ts'
import { TurnText } from '../../encode/turn-text.ts'
import { isThinking, type Thinking } from '../../encode/turns.ts'
import { wellFormed } from '../../encode/words.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubToolUse } from '../../hub/request.ts'
import { textOfInput } from '../../hub/input-text.ts'
import { GEMINI, openEnvelope } from '../../identity/envelope.ts'
import { encodeBlock } from './content.ts'
import type { Encoding } from './encoding.ts'
import type { ChatPart, ChatToolCall } from './wire.ts'

/** What an assistant's turn comes down to in the upstream's form. */
export interface AssistantTurn {
  readonly text: string
  readonly thinking: string
  /** Thinking with the signature of its maker, which is sent in place of its words alone. */
  readonly signed: readonly SignedDetail[]
  readonly calls: ChatToolCall[]
}

/** Thinking of Anthropic's models as OpenRouter takes it back. */
export interface SignedDetail {
  readonly type: 'reasoning.text'
  readonly text: string
  readonly signature: string
  readonly format: 'anthropic-claude-v1'
}

/** Sorts the blocks of an assistant's turn: one text, one thinking, and the calls. */
export function encodeAssistant(message: HubMessage, path: string, encoding: Encoding): AssistantTurn {
  const blocks = blocksOf(message)
  const signatures = thoughtSignatures(blocks, encoding)
  const calls: ChatToolCall[] = []
  const text = new TurnText()
  const signed: SignedDetail[] = []
  let thinking = ''
  for (const [index, block] of blocks.entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_use') {
      calls.push(encodeCall(block, place, { encoding, signature: signatures?.get(block.id) }))
      text.interrupt(block.type)
    } else if (isThinking(block)) {
      const detail = signedDetail(block, encoding)
      if (detail === undefined) thinking += replayedThinking(block, place, encoding)
      else signed.push(detail)
      text.interrupt(block.type)
    } else if (block.type === 'tool_result') text.interrupt(block.type)
    else text.add(block.type, assistantText(encodeBlock(block, place, encoding), place, encoding))
  }
  const turn = { text: text.text, thinking, signed, calls }
  noteLoneThinking(turn, path, encoding)
  return turn
}

/** A turn that says and calls nothing is skipped, and its thinking with it. */
function noteLoneThinking(
  { text, thinking, signed, calls }: AssistantTurn,
  path: string,
  encoding: Encoding,
): void {
  const hasThought = thinking !== '' || signed.length > 0
  if (hasThought && text === '' && calls.length === 0) noteThinkingDropped(path, encoding)
}

/** A signature that is not in an envelope is Anthropic's own, and goes to its models only. */
function signedDetail(block: Thinking, { profile }: Encoding): SignedDetail | undefined {
  if (!profile.replaysSignedThinking || block.type !== 'thinking' || block.signature === '') return undefined
  if (openEnvelope(block.signature) !== undefined) return undefined
  const { thinking: text, signature } = block
  return { type: 'reasoning.text', text, signature, format: 'anthropic-claude-v1' }
}

function assistantText(part: ChatPart | undefined, path: string, { notes }: Encoding): string {
  if (part === undefined) return ''
  if (part.type === 'text') return part.text
  notes.add('assistant_media_dropped', path, 'an assistant turn can hold text and calls only')
  return ''
}

/** What goes to the upstream of earlier thinking; a block that does no more than carry a signature is no loss. */
function replayedThinking(block: Thinking, path: string, encoding: Encoding): string {
  const { replaysThinking, replaysThoughtSignatures } = encoding.profile
  if (block.type === 'thinking' && replaysThinking !== undefined)
    return wellFormed(block.thinking, `${path}.thinking`, encoding)
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
  const { id, name, input } = wireCall(call, path, encoding)
  const encoded: ChatToolCall = { id, type: 'function', function: { name, arguments: textOfInput(input) } }
  return signature === undefined
    ? encoded
    : Object.assign(encoded, { extra_content: { google: { thought_signature: signature } } })
}
