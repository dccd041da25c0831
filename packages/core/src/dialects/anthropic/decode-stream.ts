import { HubError } from '../../hub/error.ts'
import type { HubContentBlock, HubDelta, HubStop } from '../../hub/message.ts'
import { type HubUsage, usageOf } from '../../hub/usage.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { parseInput } from '../../stream/collect.ts'
import type { DecodeContext, StreamDecoder } from '../dialect.ts'
import { decodeErrorPayload } from './error.ts'
import type { OutOfBandEvent, StreamEvent } from './wire.ts'

/** Creates the decoder of one stream of Messages events. */
export function decodeStream(context: DecodeContext): MessagesStreamDecoder {
  return new MessagesStreamDecoder(context)
}

/** Reads Messages events and tells them to the block writer, which checks that they make sense. */
export class MessagesStreamDecoder implements StreamDecoder {
  readonly #context: DecodeContext
  #usage: Partial<HubUsage> = {}
  #stop: HubStop | undefined
  #events = 0
  /** The number of the block that is open. */
  #open: number | undefined
  #blocks = 0
  /** A block that only Anthropic knows, while its input still comes. */
  #held: HeldBlock | undefined

  constructor(context: DecodeContext) {
    this.#context = context
  }

  get finished(): boolean {
    return this.#stop !== undefined
  }

  event(_name: string | undefined, data: string): void {
    if (this.#context.writer.ended || data === '') return
    this.#events += 1
    this.#read(parseEvent(data, this.#events))
  }

  strayLine(field: string): void {
    this.#context.notes.addOnce('line_ignored', field, 'a line that is no part of an event was left out')
  }

  end(): void {
    if (this.#context.writer.ended) return
    throw new HubError('api_error', `anthropic: the stream broke off after ${this.#events} events`, {
      status: 502,
    })
  }

  /** Begins a block with whatever content it already has. */
  start(block: HubContentBlock): void {
    const { writer } = this.#context
    switch (block.type) {
      case 'text':
        writer.text(block.text)
        for (const citation of block.citations ?? []) writer.extra({ type: 'citations_delta', citation })
        return
      case 'thinking':
        writer.thinking(block.thinking)
        if (block.signature) writer.signature(block.signature)
        return
      case 'tool_use':
      case 'server_tool_use':
        expectName(block.id, `${block.type}.id`)
        expectName(block.name, `${block.type}.name`)
        writer.begin({ type: block.type, id: block.id, name: block.name })
        if (isJsonObject(block.input) && Object.keys(block.input).length > 0) {
          writer.inputJson(JSON.stringify(block.input))
        }
        return
      default:
        writer.begin({ type: 'whole', block })
    }
  }

  /** A block that Anthropic's servers run (an MCP call) is told whole, so it waits until its input is complete. */
  #hold(block: HubContentBlock): boolean {
    if (block.type === 'tool_use' || block.type === 'server_tool_use' || !('input' in block)) return false
    this.#held = { block, json: '' }
    return true
  }

  #release(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    const input = held.json === '' ? held.block.input : parseInput(held.json)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same block with its input
    this.#context.writer.begin({ type: 'whole', block: { ...held.block, input } as HubContentBlock })
  }

  /** The message is over. */
  finish(stop: HubStop, usage: HubUsage | null): void {
    this.#mergeUsage(usage)
    this.#context.writer.stop(stop, usageOf(this.#usage))
  }

  #read(event: StreamEvent | OutOfBandEvent): void {
    const { writer } = this.#context
    switch (event.type) {
      case 'message_start':
        this.#restart()
        this.#mergeUsage(event.message.usage)
        return
      case 'content_block_start':
        this.#begin(event.index)
        if (!this.#hold(event.content_block)) this.start(event.content_block)
        return
      case 'content_block_delta':
        this.#delta(event.delta)
        return
      case 'content_block_stop':
        this.#open = undefined
        this.#release()
        writer.closeBlock()
        return
      case 'message_delta':
        this.#stop = stopOf(event.delta)
        this.#mergeUsage(event.usage)
        return
      case 'message_stop':
        this.#conclude()
        return
      case 'error':
        throw decodeErrorPayload(event)
      case 'ping':
        return
      default:
        this.#context.notes.addOnce('event_ignored', 'type', 'an event of an unknown type was left out')
    }
  }

  /** A block that is begun twice would be two calls, each of which a client runs. */
  #begin(index: number): void {
    if (this.#open === index && index !== undefined) {
      throw new HubError('api_error', `anthropic: block ${index} began twice (event ${this.#events})`)
    }
    this.#open = index
    this.#blocks += 1
  }

  /** What came before a second beginning belongs to an answer whose end is lost. */
  #restart(): void {
    if (this.#blocks === 0) return
    throw new HubError('api_error', `anthropic: a second message began (event ${this.#events})`, {
      status: 502,
    })
  }

  #delta(delta: HubDelta): void {
    const { writer } = this.#context
    switch (delta.type) {
      case 'text_delta':
        writer.text(delta.text)
        return
      case 'thinking_delta':
        writer.thinking(delta.thinking)
        return
      case 'input_json_delta':
        if (this.#held === undefined) writer.inputJson(delta.partial_json)
        else this.#held.json += delta.partial_json
        return
      case 'signature_delta':
        writer.signature(delta.signature)
        return
      default:
        writer.extra(delta)
    }
  }

  #conclude(): void {
    if (this.#stop === undefined)
      throw new HubError('api_error', 'anthropic: message_stop came before message_delta')
    if (this.#stop.stop_reason === null)
      throw new HubError('api_error', 'anthropic: the message ended without a stop_reason')
    this.finish(this.#stop, null)
  }

  /** Later counts replace earlier ones; a count that is missing or null says nothing. */
  #mergeUsage(usage: object | null | undefined): void {
    for (const [field, value] of Object.entries(usage ?? {})) {
      if (value !== null && value !== undefined) this.#usage = { ...this.#usage, [field]: value }
    }
  }
}

/** A block that is told whole, and the pieces of its input. */
interface HeldBlock {
  readonly block: HubContentBlock & { readonly input: unknown }
  json: string
}

/** A call without its id cannot be answered, and one without its name cannot be run. */
function expectName(value: unknown, path: string): void {
  if (typeof value === 'string' && value !== '') return
  throw new HubError('api_error', `anthropic: expected ${path} to be a non-empty string`)
}

/** Why a message ended, from the fields that say so. */
export function stopOf({ stop_reason, stop_sequence, stop_details }: Partial<HubStop>): HubStop {
  return {
    stop_reason: stop_reason ?? null,
    stop_sequence: stop_sequence ?? null,
    stop_details: stop_details ?? null,
  }
}

function parseEvent(data: string, number: number): StreamEvent | OutOfBandEvent {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (cause) {
    throw new HubError('api_error', `anthropic: event ${number} is not JSON`, { cause })
  }
  if (isJsonObject(value) && typeof value['type'] === 'string') return value as unknown as StreamEvent
  throw new HubError('api_error', `anthropic: expected event ${number} to be an object with a type`)
}
