import type { BlockHead, HubError, HubStop, HubUsage, MessageSink } from '@hydra/core'
import type { Saying } from './account.ts'
import { jsonOf } from './json-text.ts'

/** A sink that keeps what was said, also of an answer that never came to its end. */
export class AnswerListener implements MessageSink {
  readonly #done: Saying[] = []
  #open: Saying | undefined
  #pieces: string[] = []
  /** Something of the answer's content was heard. */
  heard = false
  stopReason: string | undefined
  usage: HubUsage | undefined
  failure: HubError | undefined

  messageStart(): void {
    // The head of a message holds nothing that is told.
  }

  blockStart(block: BlockHead): void {
    this.heard = true
    this.#open = sayingOf(block)
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

  signature(): void {
    // Signatures are for machines.
  }

  extra(): void {
    // Citations are seen in the events of the page.
  }

  blockStop(): void {
    if (this.#open === undefined) return
    this.#done.push(this.#current(this.#open))
    this.#open = undefined
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    this.stopReason = stop.stop_reason ?? undefined
    this.usage = usage
  }

  error(error: HubError): void {
    this.failure = error
  }

  /** What was said so far; a block that is still open is marked as cut. */
  get sayings(): Saying[] {
    return this.#open === undefined
      ? this.#done
      : [...this.#done, { ...this.#current(this.#open), cut: true }]
  }

  #current(open: Saying): Saying {
    return open.kind === 'other' ? open : { ...open, text: this.#pieces.join('') }
  }
}

function sayingOf(block: BlockHead): Saying {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return { who: 'assistant', kind: block.type, text: '' }
    case 'tool_use':
    case 'server_tool_use':
      return { who: 'assistant', kind: 'call', name: block.name, text: '' }
    case 'whole':
      return { who: 'assistant', kind: 'other', text: jsonOf(block.block) }
  }
}
