import { HubError } from '../../hub/error.ts'
import type { OutOfBandEvent, StreamEvent } from './wire.ts'

/**
 * More than this does not wait for the end of a call: blocks, events and characters of what they say. What waits is
 * looked at again at the end of each block.
 */
const MAX_WAITING_BLOCKS = 100
const MAX_WAITING_EVENTS = 100_000
const MAX_WAITING_LENGTH = 16 * 1024 * 1024

type BlockEvent = Extract<StreamEvent, { index: number }>

/**
 * Which block of a stream is open, by its number: one at a time, as clients read them. Some servers mix the pieces of
 * several calls; the blocks that begin inside of a call wait for its end.
 */
export class OpenBlock {
  #open: number | undefined
  readonly #begun = new Set<number>()
  #waiting: BlockEvent[] = []
  #waitingLength = 0
  readonly #later = new Set<number>()

  get hasWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** A block that is begun twice would be two calls, each of which a client runs. */
  begin(index: number, event: number): void {
    if (this.#open === index && index !== undefined) {
      throw new HubError('api_error', `anthropic: block ${index} began twice (event ${event})`)
    }
    this.#open = index
    this.#begun.add(index)
  }

  /** A piece of an earlier block would be told as one of the open block: a call with the input of another. */
  check(index: number, event: number): void {
    if (this.#open === undefined || this.#open === index || !this.#begun.has(index)) return
    const message = `anthropic: a piece of block ${index} came inside of block ${this.#open} (event ${event})`
    throw new HubError('api_error', message, { status: 502 })
  }

  /** Takes an event that has to wait: one of a block that began while the input of the open call was not complete. */
  takes(event: StreamEvent | OutOfBandEvent, isCallPending: () => boolean): boolean {
    if (!isOfBlock(event) || this.#open === undefined || event.index === this.#open) return false
    const begins = event.type === 'content_block_start' && (this.hasWaiting || isCallPending())
    if (!begins && !this.#later.has(event.index)) return false
    this.#later.add(event.index)
    this.#wait(event)
    return true
  }

  /** The events that waited, in their order. */
  take(): readonly BlockEvent[] {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingLength = 0
    this.#later.clear()
    return waiting
  }

  end(): void {
    this.#open = undefined
  }

  #wait(event: BlockEvent): void {
    this.#waiting.push(event)
    this.#waitingLength += lengthOf(event)
    const most = this.#exceeded()
    if (most === undefined) return
    throw new HubError('api_error', `anthropic: expected at most ${most} inside of a call, got more`, {
      status: 502,
    })
  }

  /** Which of the limits is passed. */
  #exceeded(): string | undefined {
    if (this.#later.size > MAX_WAITING_BLOCKS) return `${MAX_WAITING_BLOCKS} blocks`
    if (this.#waiting.length > MAX_WAITING_EVENTS) return `${MAX_WAITING_EVENTS} events`
    return this.#waitingLength > MAX_WAITING_LENGTH ? `${MAX_WAITING_LENGTH} characters` : undefined
  }
}

function isOfBlock(event: StreamEvent | OutOfBandEvent): event is BlockEvent {
  return event.type.startsWith('content_block_')
}

/** What an event says, roughly: nearly all is in the texts of its delta or of its block. */
function lengthOf(event: BlockEvent): number {
  const said = 'delta' in event ? event.delta : 'content_block' in event ? event.content_block : {}
  return Object.values(said).reduce<number>(
    (length, value) => length + (typeof value === 'string' ? value.length : 0),
    0,
  )
}
