import type { HubBlock, HubResultContent, HubTextBlock, HubToolResult } from '../hub/request.ts'

/** What a result without its call becomes in a user turn: words that say what it is, then its content. */
export function orphanBlocks(result: HubToolResult): HubBlock[] {
  const { content, is_error: failed, cache_control: cacheControl } = result
  const kind = failed ? 'Error result' : 'Result'
  const head = text(`[${kind} of an earlier tool call that is no longer part of the conversation]`)
  if (cacheControl) head.cache_control = cacheControl
  if (content === undefined || content === '') return [head]
  if (typeof content === 'string') return [head, text(content)]
  return [head, ...content.map(asUserBlock)]
}

/** Two kinds of content are legal in results only. */
function asUserBlock(block: HubResultContent): HubBlock {
  if (block.type === 'tool_reference') return text(`Tool: ${block.tool_name}`)
  if (block.type === 'browser_state') return text(JSON.stringify(block))
  return block
}

function text(words: string): HubTextBlock {
  return { type: 'text', text: words }
}
