import type { HubMessage, HubToolResult, HubToolUse } from '../hub/request.ts'
import type { BlockPlace } from './block-path.ts'

/** A tool result and where it is. */
export interface PlacedResult extends BlockPlace {
  readonly block: HubToolResult
  /** The assistant message nearest before it, -1 without one: its own call's, if the result is in place. */
  readonly follows: number
}

/** A tool call, where it is, and every result that belongs to it in the order they came. */
export interface CallSlot extends BlockPlace {
  readonly block: HubToolUse
  readonly results: PlacedResult[]
}

/** All calls of a history with their results, and the results that no call before them asked for. */
export interface Pairing {
  readonly calls: readonly CallSlot[]
  readonly orphans: readonly PlacedResult[]
}

/** Finds the results of each call in one walk, also where ids are used again. */
export function pairing(messages: readonly HubMessage[]): Pairing {
  const walk = new PairingWalk()
  messages.forEach((message, messageIndex) => walk.read(message, messageIndex))
  return walk
}

class PairingWalk implements Pairing {
  readonly calls: CallSlot[] = []
  readonly orphans: PlacedResult[] = []
  /** For each id the calls of the latest message that used it. */
  readonly #latest = new Map<string, CallSlot[]>()
  #follows = -1

  read({ role, content }: HubMessage, messageIndex: number): void {
    if (role === 'assistant') this.#follows = messageIndex
    if (typeof content !== 'object') return
    content.forEach((block, blockIndex) => {
      if (role === 'assistant' && block.type === 'tool_use') this.#call(block, { messageIndex, blockIndex })
      if (role === 'user' && block.type === 'tool_result') this.#result(block, { messageIndex, blockIndex })
    })
  }

  #call(block: HubToolUse, { messageIndex, blockIndex }: BlockPlace): void {
    const slot: CallSlot = { messageIndex, blockIndex, block, results: [] }
    this.calls.push(slot)
    const latest = this.#latest.get(block.id)
    if (latest?.[0]?.messageIndex === messageIndex) latest.push(slot)
    else this.#latest.set(block.id, [slot])
  }

  #result(block: HubToolResult, { messageIndex, blockIndex }: BlockPlace): void {
    const result: PlacedResult = { messageIndex, blockIndex, block, follows: this.#follows }
    const latest = this.#latest.get(block.tool_use_id)
    const slot = latest?.find(({ results }) => results.length === 0) ?? latest?.at(-1)
    const list = slot?.results ?? this.orphans
    list.push(result)
  }
}
