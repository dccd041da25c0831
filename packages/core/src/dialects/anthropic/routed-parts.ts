import type { ClientDialect } from '../dialect.ts'
import {
  certainContent,
  certainList,
  certainObject,
  certainText,
  type Fields,
  MessageParts,
  RequestOutline,
  unclear,
} from '../request-outline.ts'
import type { RoutedBlock, RoutedContent, RoutedMessage, RoutedParts } from '../routed-parts.ts'

/** What routes may look at in a Messages request that is not understood. */
export const routedParts: ClientDialect['routedParts'] = ({ body }) => new MessagesOutline(body)

class MessagesOutline extends RequestOutline {
  get system(): RoutedParts['system'] {
    const { system } = this.fields
    if (system === undefined || system === null) return undefined
    if (typeof system === 'string') return system
    return certainList(system, 'system').map((block) => {
      const { type, text } = certainObject(block, 'system')
      if (type !== 'text') throw unclear('system')
      return { type, text: certainText(text, 'system') }
    })
  }

  get messages(): readonly RoutedMessage[] {
    const messages = certainList(this.fields['messages'], 'messages')
    return messages.map((message) => new MessageParts(certainObject(message, 'messages'), RULES))
  }
}

const RULES = {
  sides: new Map(['user', 'assistant', 'system'].map((role) => [role, role])),
  contentOf: ({ content }: Fields): RoutedContent => certainContent(content, blockOf),
}

function blockOf({ text, content }: Fields, type: string): RoutedBlock {
  if (type === 'text') return { type, text: certainText(text, 'content') }
  return type === 'tool_result' ? { type, content: certainContent(content, blockOf) } : { type }
}
