import { EscapedTextWriter } from '../../fast-text/escaped-text-writer.ts'
import { FastText } from '../../fast-text/fast-text.ts'
import { PieceTaker } from '../../fast-text/piece-taker.ts'
import { HubError } from '../../hub/error.ts'
import type { HubContentBlock, HubDelta, HubStop } from '../../hub/message.ts'
import { type HubUsage, usageOf } from '../../hub/usage.ts'
import { isJsonObject } from '../../json/json-object.ts'
import {
  arrayAt,
  eventObject,
  locatedFault,
  objectAt,
  textAt,
  WireFault,
  type WireObject,
} from '../../json/wire.ts'
import type { DecodeContext, StreamDecoder } from '../dialect.ts'
import { CallInput } from './call-input.ts'
import { decodeErrorPayload, isUntypedError } from './error.ts'
import { HeldBlock } from './held-block.ts'
import { OpenBlock } from './open-block.ts'
import { INPUT, TEXT } from './varying-text.ts'
import { noteUnknownReason, settledStop, stopOf } from './stop-reason.ts'
import { countsIn } from './usage.ts'
import { type OutOfBandEvent, type StreamEvent, typed } from './wire.ts'

/** Creates the decoder of one stream of Messages events. */
export function decodeStream(context: DecodeContext): MessagesStreamDecoder {
  return new MessagesStreamDecoder(context)
}

/** Reads Messages events and tells them to the block writer, which checks that they make sense. */
export class MessagesStreamDecoder implements StreamDecoder {
  readonly #context: DecodeContext
  readonly #text: FastText
  readonly #inputs: FastText
  readonly #callInput: CallInput
  #usage: Partial<HubUsage> = {}
  #stop: HubStop | undefined
  #events = 0
  readonly #open = new OpenBlock()
  #blocks = 0
  /** Whether the open block is of a kind that is not looked into here. */
  #isForeign = false
  /** Whether there was such a block: it may be a call that only the client knows. */
  #hasForeign = false
  /** A block that only Anthropic knows, while its input still comes. */
  #held: HeldBlock | undefined

  constructor(context: DecodeContext) {
    this.#context = context
    this.#callInput = new CallInput(context)
    this.#text = new FastText(new EscapedTextWriter(context.writer), TEXT)
    this.#inputs = new FastText(new PieceTaker(context.writer, this.#callInput), INPUT)
  }

  get finished(): boolean {
    return this.#stop !== undefined
  }

  /** How many events there were so far. */
  get count(): number {
    return this.#events + this.#text.events + this.#inputs.events
  }

  event(name: string | undefined, data: string): void {
    if (this.#context.writer.ended || data === '') return
    this.#events += 1
    try {
      const event = eventObject(data, 'anthropic')
      if (isUntypedError(name, event)) throw decodeErrorPayload(event)
      const known = typed(event, name)
      if (this.#waits(known)) return
      this.#read(known)
      this.#text.learn(name, data, event)
      this.#inputs.learn(name, data, event)
    } catch (thrown) {
      throw locatedFault(thrown, 'anthropic', this.count)
    }
  }

  /** Most events differ from the one before in their words alone, and need not be parsed. */
  skim(bytes: Uint8Array, from: number): number {
    const at = this.#text.skim(bytes, from)
    if (this.#isForeign || this.#held !== undefined) return at
    try {
      return this.#inputs.skim(bytes, at)
    } catch (thrown) {
      throw locatedFault(thrown, 'anthropic', this.count)
    }
  }

  strayLine(field: string): void {
    this.#context.notes.addOnce('line_ignored', field, 'a line that is no part of an event was left out')
  }

  end(): void {
    if (this.#context.writer.ended) return
    throw new HubError('api_error', `anthropic: the stream broke off after ${this.count} events`, {
      status: 502,
    })
  }

  /** Begins a block with whatever content it already has. */
  start(block: HubContentBlock): void {
    const { writer } = this.#context
    switch (block.type) {
      case 'text':
        writer.text(textAt(block.text, 'content_block.text'))
        for (const citation of arrayAt(block.citations, 'content_block.citations')) this.#cite(citation)
        return
      case 'thinking':
        writer.thinking(textAt(block.thinking, 'content_block.thinking'))
        this.#sign(textAt(block.signature, 'content_block.signature'))
        return
      case 'tool_use':
      case 'server_tool_use':
        this.#callInput.begin(block)
        writer.begin({ type: block.type, ...this.#callInput.known(block, this.#blocks) })
        return
      default:
        this.#isForeign = true
        this.#hasForeign = true
        writer.begin({ type: 'whole', block })
    }
  }

  /** The block that is open has ended. */
  stop(): void {
    this.#open.end()
    this.#isForeign = false
    this.#release()
    this.#callInput.end()
    this.#context.writer.closeBlock()
  }

  /** A block that Anthropic's servers run (an MCP call) is written whole, so it waits until its input is complete. */
  #hold(block: HubContentBlock): boolean {
    if (block.type === 'tool_use' || block.type === 'server_tool_use' || !('input' in block)) return false
    this.#held = new HeldBlock(block)
    return true
  }

  #release(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.#context.writer.begin({ type: 'whole', block: held.whole() })
  }

  /** The message is over. */
  finish(stop: HubStop, usage: HubUsage | null): void {
    this.#mergeUsage(usage)
    const { writer, notes } = this.#context
    noteUnknownReason(stop, notes)
    if (this.#usage.input_tokens === undefined && this.#usage.output_tokens === undefined) {
      notes.add('usage_estimated', 'usage', 'the upstream did not report its usage: an estimate instead')
      this.#usage = { ...writer.estimatedUsage(), ...this.#usage }
    }
    const hasCalls = writer.summary.toolCalls > 0 || this.#hasForeign
    writer.stop(settledStop(stop, hasCalls, notes), usageOf(this.#usage))
  }

  #read(event: StreamEvent | OutOfBandEvent): void {
    switch (event.type) {
      case 'message_start':
        this.#begin(objectAt(event.message, 'message') ?? {})
        return
      case 'content_block_start':
        this.#release()
        this.#callInput.end()
        this.#open.begin(event.index, this.count)
        this.#blocks += 1
        this.#blockStart(event.content_block)
        return
      case 'content_block_delta':
        objectAt(event.delta ?? 'nothing', 'delta')
        this.#open.check(event.index, this.count)
        this.#delta(event.delta)
        return
      case 'content_block_stop':
        this.stop()
        this.#readWaiting()
        return
      case 'message_delta':
        this.#endWaiting()
        this.#ends(stopOf(objectAt(event.delta, 'delta') ?? {}))
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

  #waits(event: StreamEvent | OutOfBandEvent): boolean {
    return this.#open.takes(event, () => this.#held !== undefined || this.#callInput.isPending)
  }

  #readWaiting(): void {
    for (const event of this.#open.take()) if (!this.#waits(event)) this.#read(event)
  }

  /** A call that was never stopped has ended with the message, and what waited for it comes. */
  #endWaiting(): void {
    while (this.#open.hasWaiting) {
      this.stop()
      this.#readWaiting()
    }
  }

  #blockStart(block: HubContentBlock): void {
    if (textAt(objectAt(block, 'content_block')?.['type'], 'content_block.type') === '')
      throw new WireFault('content_block', 'a block with a type', block)
    this.#isForeign = false
    if (!this.#hold(block)) this.start(block)
  }

  /** What came before a second beginning belongs to an answer whose end is lost. */
  #begin({ model, id, usage }: WireObject): void {
    if (this.#blocks > 0) {
      const message = `anthropic: a second message began (event ${this.count})`
      throw new HubError('api_error', message, { status: 502 })
    }
    this.#context.writer.answeredBy(model, id)
    this.#mergeUsage(usage)
  }

  #delta(delta: HubDelta): void {
    const { writer } = this.#context
    // What is newer than this is passed on, in a block of its own kind, to clients that may know it.
    if (this.#isForeign) {
      writer.extra(delta)
      return
    }
    switch (delta.type) {
      case 'text_delta':
        writer.text(textAt(delta.text, 'delta.text'))
        return
      case 'thinking_delta':
        writer.thinking(textAt(delta.thinking, 'delta.thinking'))
        return
      case 'input_json_delta':
        this.#input(textAt(delta.partial_json, 'delta.partial_json'))
        return
      case 'signature_delta':
        this.#sign(textAt(delta.signature, 'delta.signature'))
        return
      case 'citations_delta':
        this.#cite(delta.citation)
        return
      default:
        this.#context.notes.addOnce('delta_ignored', 'delta.type', 'a delta of an unknown type was left out')
    }
  }

  #input(json: string): void {
    if (this.#held === undefined) this.#callInput.tell(json)
    else this.#held.push(json)
  }

  #sign(signature: string): void {
    if (signature !== '') this.#context.writer.signature(signature)
  }

  #cite(value: unknown): void {
    if (!isJsonObject(value)) throw new WireFault('a citation', 'an object', value)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it cites is the client's to look at
    this.#context.writer.extra({ type: 'citations_delta', citation: value } as unknown as HubDelta)
  }

  /** Some servers say once more what it cost, and do not repeat why it ended. */
  #ends(stop: HubStop): void {
    if (stop.stop_reason !== null || this.#stop === undefined) this.#stop = stop
  }

  #conclude(): void {
    this.#endWaiting()
    this.#callInput.end()
    if (this.#stop === undefined)
      throw new HubError('api_error', 'anthropic: message_stop came before message_delta')
    if (this.#stop.stop_reason === null)
      throw new HubError('api_error', 'anthropic: the message ended without a stop_reason')
    this.finish(this.#stop, null)
  }

  /** Later counts replace earlier ones; a count that is missing says nothing. */
  #mergeUsage(usage: unknown): void {
    this.#usage = { ...this.#usage, ...countsIn(usage) }
  }
}
