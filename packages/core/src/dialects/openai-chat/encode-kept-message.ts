import { Notes } from '../../hub/note.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubResultContent } from '../../hub/request.ts'
import { CallIdsInUse, WireCallIds } from '../../identity/call-ids.ts'
import { ToolNames } from '../../identity/tool-names.ts'
import type { Encoding } from './encoding.ts'
import { encodeMessages } from './messages.ts'
import { type ChatProfile, defaultProfile } from './profile.ts'
import type { ChatMessage } from './wire.ts'

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

/**
 * Encodes one message of a history that is kept in this form, with the ids and names it has. It never fails;
 * the notes say what the form cannot hold, each with the given path.
 */
export function encodeKeptMessage(
  message: HubMessage,
  { path, notes }: { readonly path: string; readonly notes: Notes },
): ChatMessage[] {
  const own = new Notes()
  const whole = withoutReferences(message, path, own)
  const encoded = encodeMessages({ ...EMPTY, messages: [whole] }, [whole], encodingWith(own))
  // The message may be a piece of a longer one, so the places inside it are not those of the history.
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
