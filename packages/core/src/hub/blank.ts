import type { HubContentBlock, HubResponse } from './message.ts'
import type { BlockHead, MessageHead } from './sink.ts'

/** A message as it begins: no content, no reason to stop. */
export function blankMessage(head: MessageHead): HubResponse {
  return {
    id: head.id,
    type: 'message',
    role: 'assistant',
    model: head.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: head.usage,
  }
}

/** A block as it begins: empty, to be filled by deltas, unless it came whole. */
export function blankBlock(head: BlockHead): HubContentBlock {
  switch (head.type) {
    case 'text':
      return { type: 'text', text: '', citations: null }
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool_use':
      return { type: 'tool_use', id: head.id, name: head.name, input: {}, caller: { type: 'direct' } }
    case 'server_tool_use':
      return {
        type: 'server_tool_use',
        id: head.id,
        // The SDK lists the server tools of today; an upstream may know newer ones.
        name: head.name as 'web_search',
        input: {},
        caller: { type: 'direct' },
      }
    case 'whole':
      return head.block
  }
}
