import { unparsedText } from '../clients/claude-code.ts'
import type { HubContentBlock, HubResponse } from '../hub/message.ts'
import type { BlockHead, MessageSink } from '../hub/sink.ts'
import { usageOf } from '../hub/usage.ts'

/** Tells a whole message to a sink as if it had been streamed: one delta per block. */
export function unfold(message: HubResponse, sink: MessageSink): void {
  const usage = usageOf(message.usage)
  sink.messageStart({ id: message.id, model: message.model, usage: { ...usage, output_tokens: 0 } })
  for (const block of message.content) {
    sink.blockStart(headOf(block))
    unfoldContent(block, sink)
    sink.blockStop()
  }
  const { stop_reason, stop_sequence, stop_details } = message
  sink.messageStop({ stop_reason, stop_sequence, stop_details: stop_details ?? null }, usage)
}

function headOf(block: HubContentBlock): BlockHead {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return { type: block.type }
    case 'tool_use':
    case 'server_tool_use':
      return { type: block.type, id: block.id, name: block.name }
    default:
      return { type: 'whole', block }
  }
}

function unfoldContent(block: HubContentBlock, sink: MessageSink): void {
  switch (block.type) {
    case 'text':
      if (block.text !== '') sink.text(block.text)
      for (const citation of block.citations ?? []) sink.extra({ type: 'citations_delta', citation })
      return
    case 'thinking':
      if (block.thinking !== '') sink.thinking(block.thinking)
      if (block.signature !== '') sink.signature(block.signature)
      return
    case 'tool_use':
    case 'server_tool_use':
      // One that the model left broken goes on as it was written.
      sink.inputJson(unparsedText(block.input) ?? JSON.stringify(block.input ?? {}))
      return
    default:
    // Everything is in the block's head.
  }
}
