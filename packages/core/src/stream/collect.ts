import { unparsedInput } from '../clients/claude-code.ts'
import { blankBlock, blankMessage } from '../hub/blank.ts'
import type { HubContentBlock, HubResponse, HubStop } from '../hub/message.ts'
import type { HubUsage } from '../hub/usage.ts'
import { isJsonObject } from '../json/json-object.ts'
import { BlockCollector, type CollectedBlock } from './block-collector.ts'

/** A sink that builds the whole message, for clients that did not ask for a stream. */
export class Collector extends BlockCollector {
  /** The message, once it has ended well. */
  message: HubResponse | undefined

  override messageStop(stop: HubStop, usage: HubUsage): void {
    super.messageStop(stop, usage)
    if (this.head === undefined) return
    const content = this.blocks.filter(({ isComplete }) => isComplete).map(blockOf)
    this.message = { ...blankMessage(this.head), content, ...stop, usage }
  }
}

function blockOf({ head, content, signature, extras }: CollectedBlock): HubContentBlock {
  const block = blankBlock(head)
  fillBlock(block, content)
  if (block.type === 'thinking' && signature !== undefined) block.signature = signature
  if (block.type !== 'text') return block
  const citations = extras.flatMap((delta) => (delta.type === 'citations_delta' ? [delta.citation] : []))
  if (citations.length > 0) block.citations = citations
  return block
}

/** Puts the content of a block's deltas into the block. */
export function fillBlock(block: HubContentBlock, content: string): void {
  switch (block.type) {
    case 'text':
      block.text = content
      return
    case 'thinking':
      block.thinking = content
      return
    case 'tool_use':
    case 'server_tool_use':
      block.input = parseInput(content)
      return
    default:
    // Blocks that came whole have nothing to be filled with.
  }
}

/** A tool's input as an object; text that is no JSON object stays visible under the key agents know for it. */
export function parseInput(json: string): unknown {
  if (json === '') return {}
  try {
    const input: unknown = JSON.parse(json)
    if (isJsonObject(input)) return input
  } catch {
    // Falls through: a call that was cut off or badly written by the model.
  }
  return unparsedInput(json)
}
