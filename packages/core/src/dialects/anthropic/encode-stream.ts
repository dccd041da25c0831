import type { EscapedTextSink } from '../../fast-text/escaped-text-sink.ts'
import { DeltaFrame, EventOutput } from '../../fast-text/event-output.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import type { HubError } from '../../hub/error.ts'
import { blankBlock, blankMessage } from '../../hub/blank.ts'
import type { HubDelta, HubStop } from '../../hub/message.ts'
import type { BlockHead, MessageHead } from '../../hub/sink.ts'
import { UNSIGNED } from '../../identity/envelope.ts'
import type { HubUsage } from '../../hub/usage.ts'
import { formatEvent } from '../../sse/format.ts'
import type { StreamEncoder } from '../dialect.ts'
import { encodeErrorEvent } from './error.ts'
import type { MessageDeltaEvent, StreamEvent } from './wire.ts'

/** The JSON after the text of a delta. */
const DELTA_END = '}}\n\n'

/** The type of each block's deltas, and the field of their text. */
const DELTA_FIELDS: Readonly<Record<BlockHead['type'], string>> = {
  text: '"text_delta","text":',
  thinking: '"thinking_delta","thinking":',
  tool_use: '"input_json_delta","partial_json":',
  server_tool_use: '"input_json_delta","partial_json":',
  whole: '"text_delta","text":',
}

const NO_BLOCK = new DeltaFrame('', '')

/** Creates the encoder of one Anthropic event stream. */
export function encodeStream(): StreamEncoder {
  return new AnthropicStreamEncoder()
}

/**
 * Writes the events of one message. Deltas are the hot path: all but the text is the same for every
 * delta of a block, so it is written once per block and each delta costs one `JSON.stringify` of a string.
 */
class AnthropicStreamEncoder implements StreamEncoder, EscapedTextSink {
  readonly #out = new EventOutput()
  #index = -1
  /** What is around each delta of the open block. */
  #delta = NO_BLOCK
  /** Thinking is open whose signature has not come. */
  #isUnsigned = false

  take(): string | Uint8Array {
    return this.#out.take()
  }

  messageStart(head: MessageHead): void {
    this.#event({ type: 'message_start', message: blankMessage(head) })
  }

  blockStart(block: BlockHead): void {
    this.#index += 1
    this.#isUnsigned = block.type === 'thinking'
    this.#delta = new DeltaFrame(this.#deltaPrefix(block.type), DELTA_END)
    this.#event({ type: 'content_block_start', index: this.#index, content_block: blankBlock(block) })
  }

  text(delta: string): void {
    this.#out.write(this.#delta.around(delta))
  }

  escapedRun(deltas: TextRun): void {
    this.#out.writeRun(deltas, this.#delta)
  }

  escapedInput(pieces: TextRun): void {
    this.#out.writeRun(pieces, this.#delta)
  }

  thinking(delta: string): void {
    this.#out.write(this.#delta.around(delta))
  }

  inputJson(delta: string): void {
    this.#out.write(this.#delta.around(delta))
  }

  signature(value: string): void {
    this.#isUnsigned = false
    this.extra({ type: 'signature_delta', signature: value })
  }

  extra(delta: HubDelta): void {
    this.#event({ type: 'content_block_delta', index: this.#index, delta })
  }

  blockStop(): void {
    if (this.#isUnsigned) this.signature(UNSIGNED)
    this.#event({ type: 'content_block_stop', index: this.#index })
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    this.#event(messageDelta(stop, usage))
    this.#event({ type: 'message_stop' })
  }

  error(error: HubError): void {
    this.#out.write(encodeErrorEvent(error))
  }

  #event(event: StreamEvent): void {
    this.#out.write(formatEvent(event.type, JSON.stringify(event)))
  }

  #deltaPrefix(block: BlockHead['type']): string {
    const field = DELTA_FIELDS[block]
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":{"type":${field}`
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
