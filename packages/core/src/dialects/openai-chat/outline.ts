import { countTypes, type MessageOutline } from '../../trace/outline.ts'
import type { ChatMessage } from './wire.ts'

/** The outlines of the messages in a request body. */
export function outline(body: Readonly<Record<string, unknown>>): MessageOutline[] {
  const messages = body['messages'] as readonly ChatMessage[]
  return messages.map((message, index) => ({
    index,
    role: message.role,
    blocks: countTypes(partTypes(message)),
    calls: message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0,
    results: message.role === 'tool' ? 1 : 0,
  }))
}

function partTypes({ content }: ChatMessage): string[] {
  if (content === null || content === undefined || content === '') return []
  return typeof content === 'string' ? ['text'] : content.map((part) => part.type)
}
