import { ByteOutput, type RunFrame } from '../../bytes/byte-output.ts'
import type { TextRun } from '../../bytes/text-run.ts'
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
/** From so many deltas on it pays to write bytes. */
const MANY_DELTAS = 8

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

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
  /** What was written before that, where it is bytes. */
  #bytes: ByteOutput | undefined
  #index = -1
  #textPrefix = ''
  /** What stands around the texts of a run; made when the block has one. */
  #runFrame: RunFrame | undefined
  #thinkingPrefix = ''
  #inputPrefix = ''

  take(): string {
    const raw = this.takeRaw()
    return typeof raw === 'string' ? raw : decoder.decode(raw)
  }

  takeRaw(): string | Uint8Array {
    const out = this.#out
    const bytes = this.#bytes
    this.#out = ''
    if (bytes === undefined) return out
    this.#bytes = undefined
    bytes.text(out)
    return bytes.take()
  }

  messageStart(head: MessageHead): void {
    this.#event({ type: 'message_start', message: blankMessage(head) })
  }

  blockStart(block: BlockHead): void {
    this.#index += 1
    this.#textPrefix = this.#deltaPrefix('"text_delta","text":')
    this.#runFrame = undefined
    this.#thinkingPrefix = this.#deltaPrefix('"thinking_delta","thinking":')
    this.#inputPrefix = this.#deltaPrefix('"input_json_delta","partial_json":')
    this.#event({ type: 'content_block_start', index: this.#index, content_block: blankBlock(block) })
  }

  text(delta: string): void {
    this.#out += `${this.#textPrefix}${JSON.stringify(delta)}${DELTA_END}`
  }

  escapedText(delta: string): void {
    this.#out += `${this.#textPrefix}"${delta}"${DELTA_END}`
  }

  escapedRun(deltas: TextRun): void {
    if (deltas.count < MANY_DELTAS) {
      for (let index = 0; index < deltas.count; index += 1) this.escapedText(deltas.textAt(index))
      return
    }
    this.#bytes ??= new ByteOutput()
    this.#bytes.run(this.#out, deltas, (this.#runFrame ??= runFrame(this.#textPrefix)))
    this.#out = ''
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

function runFrame(textPrefix: string): RunFrame {
  return {
    prefix: encoder.encode(`${textPrefix}"`),
    between: encoder.encode(`"${DELTA_END}${textPrefix}"`),
    suffix: encoder.encode(`"${DELTA_END}`),
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
