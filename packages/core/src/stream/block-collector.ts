import type { HubError } from '../hub/error.ts'
import type { HubDelta, HubStop } from '../hub/message.ts'
import type { BlockHead, MessageHead, MessageSink } from '../hub/sink.ts'
import type { HubUsage } from '../hub/usage.ts'

/** A block of an answer, with what came of it. */
export interface CollectedBlock {
  readonly head: BlockHead
  /** Its deltas, joined: text, thinking, or the JSON of a call's input. */
  readonly content: string
  readonly signature: string | undefined
  readonly extras: readonly HubDelta[]
  /** Whether its end has come. */
  readonly isComplete: boolean
}

/** A block that is still open. */
interface OpenBlock {
  readonly head: BlockHead
  readonly pieces: string[]
  signature: string | undefined
  readonly extras: HubDelta[]
}

/** A sink that keeps what an answer says, block by block, also of one that never comes to its end. */
export class BlockCollector implements MessageSink {
  readonly #complete: CollectedBlock[] = []
  readonly #maxLength: number
  #open: OpenBlock | undefined
  #length = 0
  /** What is known of the message from its start; absent before it. */
  head: MessageHead | undefined
  /** Why the message ended, and what it cost, once it has ended well. */
  stop: HubStop | undefined
  usage: HubUsage | undefined
  /** What ended it otherwise. */
  failure: HubError | undefined

  /** Of all deltas together no more than `maxLength` characters are kept. */
  constructor({ maxLength = Infinity }: { readonly maxLength?: number } = {}) {
    this.#maxLength = maxLength
  }

  messageStart(head: MessageHead): void {
    this.head = head
  }

  blockStart(head: BlockHead): void {
    this.#open = { head, pieces: [], signature: undefined, extras: [] }
  }

  text(delta: string): void {
    this.#add(delta)
  }

  thinking(delta: string): void {
    this.#add(delta)
  }

  inputJson(delta: string): void {
    this.#add(delta)
  }

  signature(value: string): void {
    if (this.#open !== undefined) this.#open.signature = value
  }

  extra(delta: HubDelta): void {
    this.#open?.extras.push(delta)
  }

  blockStop(): void {
    if (this.#open === undefined) return
    this.#complete.push({ ...collected(this.#open), isComplete: true })
    this.#open = undefined
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    this.stop = stop
    this.usage = usage
  }

  error(error: HubError): void {
    this.failure = error
  }

  /** Whether any block has begun. */
  get hasBlocks(): boolean {
    return this.#open !== undefined || this.#complete.length > 0
  }

  /** The blocks so far; the last one may be incomplete. */
  get blocks(): readonly CollectedBlock[] {
    return this.#open === undefined
      ? this.#complete
      : [...this.#complete, { ...collected(this.#open), isComplete: false }]
  }

  #add(delta: string): void {
    const room = this.#maxLength - this.#length
    if (this.#open === undefined || room <= 0) return
    this.#open.pieces.push(delta.length > room ? delta.slice(0, room) : delta)
    this.#length += delta.length
  }
}

function collected({ head, pieces, signature, extras }: OpenBlock): Omit<CollectedBlock, 'isComplete'> {
  return { head, content: pieces.join(''), signature, extras }
}
