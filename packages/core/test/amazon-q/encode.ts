import { amazonQ } from '../../src/dialects/amazon-q/index.ts'
import type { QConversation, QEntry, QUserMessage } from '../../src/dialects/amazon-q/wire.ts'
import { anthropic } from '../../src/dialects/anthropic/index.ts'
import type { EncodedRequest } from '../../src/dialects/dialect.ts'
import type { Note } from '../../src/hub/note.ts'
import { profiles } from '../../src/providers/providers.ts'

/** An encoded request with the notes of both steps, and its parts under handy names. */
export interface EncodedTurns extends EncodedRequest {
  readonly notes: readonly Note[]
  readonly state: QConversation
  readonly history: readonly QEntry[]
  readonly current: QUserMessage
}

/** Takes a client's body the whole way into strict turns. */
export function encodeTurns(body: unknown, newId?: () => string): EncodedTurns {
  const decoded = anthropic.client.decodeRequest({ body })
  const encoded = amazonQ.upstream.encodeRequest(decoded.request, {
    model: 'q-model',
    profile: profiles['amazon-q'],
    ...(newId !== undefined && { newId }),
  })
  const state = encoded.body['conversationState'] as QConversation
  return {
    ...encoded,
    notes: [...decoded.notes, ...encoded.notes],
    state,
    history: state.history,
    current: state.currentMessage.userInputMessage,
  }
}

/** A request with these messages and whatever else the test is about. */
export function conversation(messages: readonly unknown[], fields: object = {}): Record<string, unknown> {
  return { model: 'claude-test', max_tokens: 100, messages, ...fields }
}

/** A turn of the user. */
export function user(...content: readonly unknown[]): unknown {
  return { role: 'user', content: content.map(asBlock) }
}

/** A turn of the assistant. */
export function assistant(...content: readonly unknown[]): unknown {
  return { role: 'assistant', content: content.map(asBlock) }
}

/** A call of a tool. */
export function call(id: string, name = 'Read', input: object = {}): unknown {
  return { type: 'tool_use', id, name, input }
}

/** What a call gave back. */
export function result(id: string, content?: unknown, isError = false): unknown {
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content !== undefined && { content }),
    ...(isError && { is_error: true }),
  }
}

function asBlock(block: unknown): unknown {
  return typeof block === 'string' ? { type: 'text', text: block } : block
}

/** An entry of a history in few words: who speaks, the text, the ids of calls or results. */
export function brief(entry: QEntry): string {
  if ('assistantResponseMessage' in entry) {
    const { content, toolUses = [] } = entry.assistantResponseMessage
    return ['assistant', content, ...toolUses.map(({ toolUseId }) => `call ${toolUseId}`)].join(' | ')
  }
  return briefUser(entry.userInputMessage)
}

/** A turn of the user in few words. */
export function briefUser({ content, userInputMessageContext: context }: QUserMessage): string {
  const results = (context?.toolResults ?? []).map(
    ({ toolUseId, status, content: [first] }) => `${status} ${toolUseId}: ${first?.text}`,
  )
  return ['user', content, ...results].join(' | ')
}
