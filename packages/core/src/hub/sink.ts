import type { HubError } from './error.ts'
import type { HubContentBlock, HubDelta, HubStop } from './message.ts'
import type { HubUsage } from './usage.ts'

/** What is known of a message before its first block. */
export interface MessageHead {
  readonly id: string
  readonly model: string
  readonly usage: HubUsage
}

/** How a block begins; its content follows in deltas. `whole` is a block that arrives complete. */
export type BlockHead =
  | { readonly type: 'text' }
  | { readonly type: 'thinking' }
  | { readonly type: 'tool_use' | 'server_tool_use'; readonly id: string; readonly name: string }
  | { readonly type: 'whole'; readonly block: HubContentBlock }

/** Listens to one message being written. Blocks are strictly one after the other, so no call carries an index. */
export interface MessageSink {
  messageStart(head: MessageHead): void
  blockStart(block: BlockHead): void
  text(delta: string): void
  thinking(delta: string): void
  signature(value: string): void
  inputJson(delta: string): void
  /** A delta that only Anthropic's dialect knows (a citation); other dialects may leave it out with a note. */
  extra(delta: HubDelta): void
  blockStop(): void
  messageStop(stop: HubStop, usage: HubUsage): void
  error(error: HubError): void
}
