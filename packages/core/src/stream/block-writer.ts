import { type Hide, HubError } from '../hub/error.ts'
import { type HubDelta, type HubStop, stopFor } from '../hub/message.ts'
import type { BlockHead, MessageHead, MessageSink } from '../hub/sink.ts'
import { type HubUsage, usageOf } from '../hub/usage.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { StopMatcher } from './stop-matcher.ts'

/** What a block writer is given. */
export interface BlockWriterOptions {
  readonly sink: MessageSink
  readonly head: MessageHead
  /** Sequences at which the text ends, whatever follows. */
  readonly stopSequences: readonly string[]
  readonly inputEstimate: number
  /** Takes secrets out of what the upstream says of itself. */
  readonly hide?: Hide | undefined
}

/** Who answered, in the upstream's own words. */
export interface AnsweredBy {
  readonly model: string | undefined
  /** The upstream's id of the answer. */
  readonly id: string | undefined
}

/** A longer name is none. */
const MAX_NAME_LENGTH = 256

/** What a message came to. */
export interface AnswerSummary {
  readonly toolCalls: number
  /** The usage that was sent to the client; absent before the end and after a failure. */
  readonly usage: HubUsage | undefined
  readonly stopReason: HubStop['stop_reason'] | undefined
  /** The upstream did not say how much it used, or not all of it. */
  readonly isEstimated: boolean
  /** About how many tokens were written so far, whatever was said of them. */
  readonly outputEstimate: number
  /** Absent if the upstream has not said so. */
  readonly answeredBy?: AnsweredBy
}

/**
 * The stream state machine: turns what a decoder reads into one legal message.
 * It starts the message with the first content, keeps one block open at a time, writes no empty deltas,
 * and lets nothing out after the end.
 */
export class BlockWriter {
  readonly sink: MessageSink
  readonly #head: MessageHead
  readonly #stops: StopMatcher | undefined
  readonly #inputEstimate: number
  #open: BlockHead['type'] | undefined
  /** Whether the open call has no input so far. */
  #lacksInput = false
  #outputLength = 0
  #toolCalls = 0
  #usage: HubUsage | undefined
  #isEstimated = false
  #stop: HubStop | undefined
  readonly #hide: Hide | undefined
  #answeredBy: AnsweredBy | undefined
  /** The message has begun: a failure can no longer become an HTTP status. */
  started = false
  /** The terminal event is out. */
  ended = false
  /** What the message ended with, if it was an error. */
  failure: HubError | undefined

  constructor({ sink, head, stopSequences, inputEstimate, hide }: BlockWriterOptions) {
    this.sink = sink
    this.#head = head
    this.#stops = stopSequences.length === 0 ? undefined : new StopMatcher(stopSequences)
    this.#inputEstimate = inputEstimate
    this.#hide = hide
  }

  /** The upstream says which model answers, and under which id; what it said first counts. */
  answeredBy(model: unknown, id: unknown): void {
    if (this.#answeredBy !== undefined) return
    const names = { model: this.#nameIn(model), id: this.#nameIn(id) }
    if (names.model !== undefined || names.id !== undefined) this.#answeredBy = names
  }

  text(delta: string): void {
    const piece = this.#stops === undefined ? delta : this.#stops.push(delta)
    if (piece !== '') this.#writeText(piece)
    if (this.#stops?.matched !== undefined) this.#stopAt(this.#stops.matched)
  }

  /** Whether words may go to the sink past this writer: a text block is open, and no stop sequence is looked for. */
  get takesWordsUnread(): boolean {
    return this.#open === 'text' && this.#stops === undefined && !this.ended
  }

  /** Whether the open block is text, so that a citation has a place. */
  get isInText(): boolean {
    return this.#open === 'text' && !this.ended
  }

  /** Whether pieces of input may go to the sink past this writer: a call is open. */
  get takesInputUnread(): boolean {
    return (this.#open === 'tool_use' || this.#open === 'server_tool_use') && !this.ended
  }

  /** Counts words that went to the sink past this writer. */
  wordsWritten(length: number): void {
    this.#outputLength += length
  }

  /** Counts input that went to the sink past this writer. */
  inputWritten(length: number): void {
    this.#outputLength += length
    this.#lacksInput = false
  }

  thinking(delta: string): void {
    if (delta === '' || this.ended) return
    if (this.#open !== 'thinking') this.#begin({ type: 'thinking' })
    this.#outputLength += delta.length
    this.sink.thinking(delta)
  }

  /** Signs the open thinking block, or an empty one of its own; either way the block is complete then. */
  signature(value: string): void {
    if (this.ended) return
    if (this.#open !== 'thinking') this.#begin({ type: 'thinking' })
    this.sink.signature(value)
    this.closeBlock()
  }

  /** Opens a block that only its caller can fill or close. */
  begin(block: BlockHead): void {
    if (this.ended) return
    if (block.type === 'tool_use') this.#toolCalls += 1
    this.#begin(block)
  }

  inputJson(delta: string): void {
    if (delta === '' || this.ended) return
    if (this.#open !== 'tool_use' && this.#open !== 'server_tool_use') {
      throw new HubError(
        'api_error',
        `stream: tool input without an open tool call, but ${this.#open ?? 'nothing'}`,
      )
    }
    this.#outputLength += delta.length
    this.#lacksInput = false
    this.sink.inputJson(delta)
  }

  extra(delta: HubDelta): void {
    if (this.ended) return
    // A citation may come before the text that it belongs to.
    if (this.#open === undefined && delta.type === 'citations_delta') this.#begin({ type: 'text' })
    if (this.#open === undefined)
      throw new HubError('api_error', `stream: ${delta.type} without an open block`)
    this.sink.extra(delta)
  }

  closeBlock(): void {
    const held = this.#stops?.flush()
    if (held !== undefined && held !== '') this.#writeText(held)
    this.#close()
  }

  stop(stop: HubStop, usage: HubUsage): void {
    if (this.ended) return
    this.#start()
    this.closeBlock()
    this.ended = true
    this.#stop = stop
    this.#usage = usage
    this.sink.messageStop(stop, usage)
  }

  /** Ends the message with an error, in the middle of a block if it must be. */
  fail(error: HubError): void {
    if (this.ended) return
    this.ended = true
    this.failure = error
    this.sink.error(error)
  }

  get summary(): AnswerSummary {
    return {
      toolCalls: this.#toolCalls,
      usage: this.#usage,
      stopReason: this.#stop?.stop_reason,
      isEstimated: this.#isEstimated,
      outputEstimate: estimateTokens(this.#outputLength),
      ...(this.#answeredBy !== undefined && { answeredBy: this.#answeredBy }),
    }
  }

  /** What the message has cost so far by its length, for upstreams that never say; never zero. */
  estimatedUsage(): HubUsage {
    this.#isEstimated = true
    const output = Math.max(1, estimateTokens(this.#outputLength))
    return usageOf({ input_tokens: Math.max(1, this.#inputEstimate), output_tokens: output })
  }

  #nameIn(value: unknown): string | undefined {
    if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH) return undefined
    return this.#hide === undefined ? value : this.#hide(value)
  }

  #writeText(piece: string): void {
    if (this.ended) return
    // Not `#begin`: text that is still held back comes after this piece and not before it.
    if (this.#open !== 'text') this.#openBlock({ type: 'text' })
    this.#outputLength += piece.length
    this.sink.text(piece)
  }

  #begin(block: BlockHead): void {
    this.closeBlock()
    this.#openBlock(block)
  }

  #openBlock(block: BlockHead): void {
    this.#start()
    this.#close()
    this.#open = block.type
    this.#lacksInput = block.type === 'tool_use' || block.type === 'server_tool_use'
    this.sink.blockStart(block)
  }

  #close(): void {
    if (this.#open === undefined || this.ended) return
    // A call that takes nothing may come without input; for clients it is an empty object.
    if (this.#lacksInput) this.inputJson('{}')
    this.#open = undefined
    this.sink.blockStop()
  }

  #start(): void {
    if (this.started) return
    this.started = true
    this.sink.messageStart(this.#head)
  }

  #stopAt(sequence: string): void {
    this.stop({ ...stopFor('stop_sequence'), stop_sequence: sequence }, this.estimatedUsage())
  }
}
