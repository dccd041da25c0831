import type { ClientDialect } from '../dialect.ts'
import {
  certainContent,
  certainList,
  certainObject,
  certainText,
  type Fields,
  MessageParts,
  RequestOutline,
} from '../request-outline.ts'
import type { RoutedBlock, RoutedContent, RoutedMessage, RoutedParts } from '../routed-parts.ts'

/** What routes may look at in a Chat request that is not understood. */
export const routedParts: ClientDialect['routedParts'] = ({ body, params }) =>
  new ChatOutline(body, params['model'])

class ChatOutline extends RequestOutline {
  /** System prompts are messages here. */
  get system(): RoutedParts['system'] {
    const texts = this.#all.filter(isSystem).flatMap((message) => {
      const content = certainContent(message['content'], blockOf)
      if (typeof content === 'string') return { type: 'text' as const, text: content }
      return content.flatMap(({ text }) => (text === undefined ? [] : { type: 'text' as const, text }))
    })
    return texts.length === 0 ? undefined : texts
  }

  get messages(): readonly RoutedMessage[] {
    return this.#all
      .filter((message) => !isSystem(message))
      .map((message) => new MessageParts(message, RULES))
  }

  get #all(): readonly Fields[] {
    const messages = certainList(this.fields['messages'], 'messages')
    return messages.map((message) => certainObject(message, 'messages'))
  }
}

function isSystem({ role }: Fields): boolean {
  return role === 'system' || role === 'developer'
}

/** Whose side a role is on: results of calls come with the user's turns. */
const SIDES: ReadonlyMap<unknown, string> = new Map([
  ['user', 'user'],
  ['tool', 'user'],
  ['function', 'user'],
  ['assistant', 'assistant'],
])

function contentOf({ role, content: value }: Fields): RoutedContent {
  const content = certainContent(value, blockOf)
  return role === 'tool' || role === 'function' ? [{ type: 'tool_result', content }] : content
}

const RULES = { sides: SIDES, contentOf }

function blockOf({ text }: Fields, type: string): RoutedBlock {
  if (type === 'text') return { type, text: certainText(text, 'content') }
  return { type: type === 'image_url' ? 'image' : type }
}
