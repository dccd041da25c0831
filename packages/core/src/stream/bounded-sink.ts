import { HubError } from '../hub/error.ts'
import type { HubDelta, HubStop } from '../hub/message.ts'
import type { BlockHead, MessageHead, MessageSink } from '../hub/sink.ts'
import type { HubUsage } from '../hub/usage.ts'

/** How much of one answer is kept in memory, in characters. */
export const MAX_KEPT_LENGTH: number = 64 * 1024 * 1024

/** What an engine needs to keep a piece, however short it is, and what it needs for a block. */
const PIECE_COST = 32
const BLOCK_COST = 256

/**
 * Stands before a sink that keeps the whole answer: an upstream that does not stop would fill the memory of the
 * process. Beyond the bound it throws, as decoders do, and the answer fails.
 */
export class BoundedSink implements MessageSink {
  readonly #sink: MessageSink
  readonly #limit: number
  #kept = 0

  constructor(sink: MessageSink, limit: number) {
    this.#sink = sink
    this.#limit = limit
  }

  messageStart(head: MessageHead): void {
    this.#sink.messageStart(head)
  }

  blockStart(block: BlockHead): void {
    this.#keep(BLOCK_COST + (block.type === 'whole' ? JSON.stringify(block.block).length : 0))
    this.#sink.blockStart(block)
  }

  text(delta: string): void {
    this.keepWords(delta.length)
    this.#sink.text(delta)
  }

  thinking(delta: string): void {
    this.#keep(delta.length + PIECE_COST)
    this.#sink.thinking(delta)
  }

  signature(value: string): void {
    this.#keep(value.length)
    this.#sink.signature(value)
  }

  inputJson(delta: string): void {
    this.#keep(delta.length + PIECE_COST)
    this.#sink.inputJson(delta)
  }

  extra(delta: HubDelta): void {
    this.#keep(JSON.stringify(delta).length + PIECE_COST)
    this.#sink.extra(delta)
  }

  blockStop(): void {
    this.#sink.blockStop()
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    this.#sink.messageStop(stop, usage)
  }

  error(error: HubError): void {
    this.#sink.error(error)
  }

  /** Counts words that are kept, and their pieces. */
  protected keepWords(length: number, pieces = 1): void {
    this.#keep(length + pieces * PIECE_COST)
  }

  #keep(length: number): void {
    this.#kept += length
    if (this.#kept <= this.#limit) return
    const message = `upstream: expected an answer of at most ${this.#limit} characters, got more`
    // Another try would only fill the memory again.
    throw new HubError('api_error', message, { status: 502, shouldRetry: false })
  }
}
