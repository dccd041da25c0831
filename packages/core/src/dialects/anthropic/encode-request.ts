import { Notes } from '../../hub/note.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { repair } from '../../history/repair.ts'
import { CallIdsInUse } from '../../identity/call-ids.ts'
import { openEnvelope } from '../../identity/envelope.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import { plainReply } from '../plain-reply.ts'

/** About how many characters of a body make a token; Anthropic reports its usage, so this is for broken proxies. */
const CHARACTERS_PER_TOKEN = 4

/** Addresses a hub request to Anthropic: its own form already, but for turns that another model wrote. */
export function encodeRequest(request: HubRequest, { model, profile }: Target): EncodedRequest {
  const notes = new Notes()
  const callIds = new CallIdsInUse()
  const messages = repair(request.messages, profile, notes).map((message, index) => {
    for (const block of blocksOf(message)) if (block.type === 'tool_use') callIds.add(block.id)
    return withoutForeignThinking(message, `messages[${index}]`, notes)
  })
  const body = { ...request, model, messages: messages.filter(hasContent) }
  return {
    body,
    notes: notes.list,
    reply: {
      ...plainReply(request.model, profile),
      callIds,
      estimateInput: () => Math.ceil(JSON.stringify(body).length / CHARACTERS_PER_TOKEN),
    },
  }
}

/** Anthropic refuses thinking that it has not signed itself. */
function withoutForeignThinking(message: HubMessage, path: string, notes: Notes): HubMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  const own = message.content.filter((block) => !isForeignThinking(block))
  if (own.length === message.content.length) return message
  notes.add('thinking_dropped', `${path}.content`, 'thinking that Anthropic has not signed is refused')
  return { ...message, content: own }
}

function isForeignThinking(block: HubBlock): boolean {
  return block.type === 'thinking' && (block.signature === '' || openEnvelope(block.signature) !== undefined)
}

function hasContent(message: HubMessage): boolean {
  return message.role === 'system' || message.content.length > 0
}
