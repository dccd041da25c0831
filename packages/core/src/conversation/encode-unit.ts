import { encodeMessages } from '../dialects/openai-chat/messages.ts'
import type { Encoding } from '../dialects/openai-chat/encoding.ts'
import { type ChatProfile, defaultProfile } from '../dialects/openai-chat/profile.ts'
import type { ChatMessage } from '../dialects/openai-chat/wire.ts'
import { Notes } from '../hub/note.ts'
import { type HubBlock, type HubMessage, type HubResultContent, blocksOf } from '../hub/request.ts'
import { CallIdsInUse, WireCallIds } from '../identity/call-ids.ts'
import { ToolNames } from '../identity/tool-names.ts'
import { LAYOUTS, type Layout, type Piece } from './layouts.ts'

/** A history is kept, not sent: nothing is shortened or left out for the sake of one provider. */
const PROFILE: ChatProfile = {
  ...defaultProfile,
  name: 'conversation',
  systemMidway: 'keep',
  emptyResult: '',
  takesDocuments: true,
}

/** An export has the ids and names of the conversation, whatever an upstream would make of them. */
class SameIds extends WireCallIds {
  override toWire(id: string): string {
    return id
  }
}

class SameNames extends ToolNames {
  override toWire(name: string): string {
    return name
  }
}

/** Turns a unit of the history into OpenAI's messages; the notes say what these cannot hold. */
export function encodeUnit(
  unit: readonly HubMessage[],
  layout: Layout,
  { notes, at }: { readonly notes: Notes; readonly at: number },
): ChatMessage[] {
  return LAYOUTS[layout](unit).flatMap((piece) => encodePiece(piece, at + piece.turn, notes))
}

function encodePiece({ message }: Piece, index: number, notes: Notes): ChatMessage[] {
  const own = new Notes()
  const path = `messages[${index}]`
  const whole = withoutReferences(message, path, own)
  const encoded = encodeMessages({ ...EMPTY, messages: [whole] }, [whole], encodingWith(own))
  // A layout may have cut the message, so that the places inside it are no longer those of the history.
  for (const { code, message: words } of own.list) notes.add(code, path, words)
  return encoded
}

const EMPTY = { model: '', max_tokens: 1 }

function encodingWith(notes: Notes): Encoding {
  return {
    profile: PROFILE,
    notes,
    tools: [],
    names: new SameNames(Infinity),
    wireIds: new SameIds(PROFILE.callIds),
    callIds: new CallIdsInUse(),
    referencedTools: new Set(),
  }
}

/** Files that only one provider can find are named instead: an export never fails. */
function withoutReferences(message: HubMessage, path: string, notes: Notes): HubMessage {
  if (message.role === 'system' || !blocksOf(message).some(hasReference)) return message
  notes.add('file_left_out', path, "a file that is named and not included has no place in OpenAI's form")
  return { ...message, content: blocksOf(message).map(withoutReference) }
}

function withoutReference(block: HubBlock): HubBlock {
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return sayable(block)
  return { ...block, content: block.content.map(sayable) }
}

function sayable<Block extends HubBlock | HubResultContent>(block: Block): Block {
  if (!isReference(block)) return block
  // Texts are legal wherever files are.
  return { type: 'text', text: `[${block.type} left out: it is not part of the conversation]` } as Block
}

function hasReference(block: HubBlock): boolean {
  if (block.type === 'tool_result' && typeof block.content === 'object')
    return block.content.some(isReference)
  return isReference(block)
}

function isReference(block: HubBlock | HubResultContent): boolean {
  if (block.type === 'image') return block.source.type === 'file'
  return block.type === 'document' && (block.source.type === 'file' || block.source.type === 'url')
}
