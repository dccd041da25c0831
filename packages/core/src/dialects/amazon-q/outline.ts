import { countTypes, type MessageOutline } from '../../trace/outline.ts'
import type { QConversation, QEntry } from './wire.ts'

/** The outlines of the turns in a request body: the history, then the current message. */
export function outline(body: Readonly<Record<string, unknown>>): MessageOutline[] {
  const { history, currentMessage } = body['conversationState'] as QConversation
  return [
    ...history.map((entry, index) => outlineOf(entry, index, `history[${index}]`)),
    outlineOf(currentMessage, history.length, 'currentMessage'),
  ]
}

function outlineOf(entry: QEntry, index: number, place: string): MessageOutline {
  const at = `conversationState.${place}`
  if ('assistantResponseMessage' in entry) {
    const { content, toolUses = [] } = entry.assistantResponseMessage
    const path = `${at}.assistantResponseMessage`
    return { index, path, role: 'assistant', blocks: textOnly(content), calls: toolUses.length, results: 0 }
  }
  const { content, images = [], userInputMessageContext: context } = entry.userInputMessage
  const types = [...(content === '' ? [] : ['text']), ...images.map(() => 'image')]
  return {
    index,
    path: `${at}.userInputMessage`,
    role: 'user',
    blocks: countTypes(types),
    calls: 0,
    results: context?.toolResults?.length ?? 0,
  }
}

function textOnly(content: string): MessageOutline['blocks'] {
  return countTypes(content === '' ? [] : ['text'])
}
