import type { HubContentBlock, HubResponse } from '../../hub/message.ts'
import { UNSIGNED } from '../../identity/envelope.ts'

/** A whole answer as the client reads it; the hub's form is Anthropic's own. */
export function encodeResponse(message: HubResponse): HubResponse {
  return message.content.some(isUnsigned) ? { ...message, content: message.content.map(signed) } : message
}

function signed(block: HubContentBlock): HubContentBlock {
  return isUnsigned(block) ? { ...block, signature: UNSIGNED } : block
}

function isUnsigned(block: HubContentBlock): block is Extract<HubContentBlock, { type: 'thinking' }> {
  return block.type === 'thinking' && block.signature === ''
}
