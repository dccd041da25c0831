import type { HubError } from '../../hub/error.ts'
import { blankBlock, blankMessage } from '../../hub/blank.ts'
import type { HubDelta, HubStop } from '../../hub/message.ts'
import type { BlockHead, MessageHead } from '../../hub/sink.ts'
import type { HubUsage } from '../../hub/usage.ts'
import { formatEvent } from '../../sse/format.ts'
import type { StreamEncoder } from '../dialect.ts'
import { encodeErrorEvent } from './error.ts'
import type { MessageDeltaEvent, StreamEvent } from './wire.ts'

/** What stands behind the text of a delta. */
const DELTA_END = '}}\n\n'

/** Creates the encoder of one Anthropic event stream. */
export function encodeStream(): StreamEncoder {
  return new AnthropicStreamEncoder()
}

/**
 * Writes the events of one message. Deltas are the hot path: all but the text is the same for every
 * delta of a block, so it is written once per block and each delta costs one `JSON.stringify` of a string.
 */
class AnthropicStreamEncoder implements StreamEncoder {
  #out = ''
  #index = -1
  #textPrefix = ''
  /** What stands between the texts of two deltas. */
  #betweenTexts = ''
  #thinkingPrefix = ''
  #inputPrefix = ''

  take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  messageStart(head: MessageHead): void {
    this.#event({ type: 'message_start', message: blankMessage(head) })
  }

  blockStart(block: BlockHead): void {
    this.#index += 1
    this.#textPrefix = this.#deltaPrefix('"text_delta","text":')
    this.#betweenTexts = `"${DELTA_END}${this.#textPrefix}"`
    this.#thinkingPrefix = this.#deltaPrefix('"thinking_delta","thinking":')
    this.#inputPrefix = this.#deltaPrefix('"input_json_delta","partial_json":')
    this.#event({ type: 'content_block_start', index: this.#index, content_block: blankBlock(block) })
  }

  text(delta: string): void {
    this.#out += `${this.#textPrefix}${JSON.stringify(delta)}${DELTA_END}`
  }

  escapedTexts(deltas: readonly string[]): void {
    this.#out += `${this.#textPrefix}"${deltas.join(this.#betweenTexts)}"${DELTA_END}`
  }

  thinking(delta: string): void {
    this.#out += `${this.#thinkingPrefix}${JSON.stringify(delta)}${DELTA_END}`
  }

  inputJson(delta: string): void {
    this.#out += `${this.#inputPrefix}${JSON.stringify(delta)}${DELTA_END}`
  }

  signature(value: string): void {
    this.extra({ type: 'signature_delta', signature: value })
  }

  extra(delta: HubDelta): void {
    this.#event({ type: 'content_block_delta', index: this.#index, delta })
  }

  blockStop(): void {
    this.#event({ type: 'content_block_stop', index: this.#index })
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    this.#event(messageDelta(stop, usage))
    this.#event({ type: 'message_stop' })
  }

  error(error: HubError): void {
    this.#out += encodeErrorEvent(error)
  }

  #event(event: StreamEvent): void {
    this.#out += formatEvent(event.type, JSON.stringify(event))
  }

  #deltaPrefix(rest: string): string {
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":{"type":${rest}`
  }
}

function messageDelta(stop: HubStop, usage: HubUsage): MessageDeltaEvent {
  return {
    type: 'message_delta',
    delta: { ...stop, container: null },
    usage: {
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cache_creation_input_tokens: usage.cache_creation_input_tokens,
      cache_read_input_tokens: usage.cache_read_input_tokens,
      output_tokens_details: usage.output_tokens_details,
      server_tool_use: usage.server_tool_use,
    },
  }
}
