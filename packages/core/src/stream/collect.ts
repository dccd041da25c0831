import { blankBlock, blankMessage } from '../hub/blank.ts'
import type { HubError } from '../hub/error.ts'
import type { HubContentBlock, HubDelta, HubResponse, HubStop } from '../hub/message.ts'
import type { BlockHead, MessageHead, MessageSink } from '../hub/sink.ts'
import type { HubUsage } from '../hub/usage.ts'

/** A sink that builds the whole message, for clients that did not ask for a stream. */
export class Collector implements MessageSink {
  #message: HubResponse | undefined
  #block: HubContentBlock | undefined
  #pieces: string[] = []
  /** The message, once it has ended well. */
  message: HubResponse | undefined
  /** What ended it otherwise. */
  failure: HubError | undefined

  messageStart(head: MessageHead): void {
    this.#message = blankMessage(head)
  }

  blockStart(block: BlockHead): void {
    this.#block = blankBlock(block)
    this.#pieces = []
  }

  text(delta: string): void {
    this.#pieces.push(delta)
  }

  thinking(delta: string): void {
    this.#pieces.push(delta)
  }

  inputJson(delta: string): void {
    this.#pieces.push(delta)
  }

  signature(value: string): void {
    if (this.#block?.type === 'thinking') this.#block.signature = value
  }

  extra(delta: HubDelta): void {
    if (delta.type !== 'citations_delta' || this.#block?.type !== 'text') return
    this.#block.citations = [...(this.#block.citations ?? []), delta.citation]
  }

  blockStop(): void {
    if (this.#block === undefined) return
    fillBlock(this.#block, this.#pieces.join(''))
    this.#message?.content.push(this.#block)
    this.#block = undefined
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    if (this.#message !== undefined) this.message = { ...this.#message, ...stop, usage }
  }

  error(error: HubError): void {
    this.failure = error
  }
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
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
  } catch {
    // Falls through: a call that was cut off or badly written by the model.
  }
  return { __unparsedToolInput: { raw: json, len: json.length } }
}
