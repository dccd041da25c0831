import { headerOf, type HeaderValues } from '../../http/headers.ts'
import { Notes } from '../../hub/note.ts'
import {
  blocksOf,
  type HubBlock,
  type HubExtras,
  type HubMessage,
  type HubRequest,
} from '../../hub/request.ts'
import { repair } from '../../history/repair.ts'
import { CallIdsInUse } from '../../identity/call-ids.ts'
import { openEnvelope } from '../../identity/envelope.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import { noteExtras } from '../extras.ts'
import { plainReply } from '../plain-reply.ts'

const ANTHROPIC_VERSION = '2023-06-01'
/** What a client of the same dialect says in headers and not in the body. */
const FORWARDED = ['anthropic-beta', 'anthropic-version'] as const

/** What a schema is called and whether it is strict makes no difference: Anthropic keeps to every schema. */
const WITHOUT_LOSS: ReadonlySet<keyof HubExtras> = new Set(['schema_name', 'schema_strict'])

/** Addresses a hub request to Anthropic: its own form already, but for turns that another model wrote. */
export function encodeRequest(request: HubRequest, target: Target): EncodedRequest {
  const { model, profile } = target
  const notes = new Notes()
  const callIds = new CallIdsInUse(target.client)
  const messages = repair(request.messages, profile, notes).map((message, index) => {
    for (const block of blocksOf(message)) if (block.type === 'tool_use') callIds.add(block.id)
    return withoutForeignThinking(message, `messages[${index}]`, notes)
  })
  noteExtras(request, WITHOUT_LOSS, notes)
  const { extras: _extras, ...fields } = request
  const body = { ...fields, model, messages: messages.filter(hasContent) }
  return {
    path: '/messages',
    query: '',
    headers: headersFor(target.headers ?? {}),
    body,
    notes: notes.list,
    reply: {
      ...plainReply(request.model, profile),
      callIds,
    },
  }
}

function headersFor(client: HeaderValues): Record<string, string> {
  const headers: Record<string, string> = { 'anthropic-version': ANTHROPIC_VERSION }
  for (const name of FORWARDED) {
    const value = headerOf(client, name)
    if (value !== undefined) headers[name] = value
  }
  return headers
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
