import { HubError } from '../../hub/error.ts'
import type { HubContentBlock } from '../../hub/message.ts'
import { MAX_EVENT_LENGTH } from '../../sse/parse.ts'
import { parseInput } from '../../stream/collect.ts'
import { TextPieces } from '../../stream/text-pieces.ts'

/** A block that is written whole, and therefore waits until its input is complete. */
export class HeldBlock {
  readonly #block: HubContentBlock & { readonly input: unknown }
  readonly #json = new TextPieces()

  constructor(block: HubContentBlock & { readonly input: unknown }) {
    this.#block = block
  }

  /** Takes the next piece of the input's JSON. */
  push(piece: string): void {
    this.#json.push(piece)
    if (this.#json.length <= MAX_EVENT_LENGTH) return
    const message = `anthropic: expected input of at most ${MAX_EVENT_LENGTH} characters, got more`
    throw new HubError('api_error', message, { status: 502 })
  }

  whole(): HubContentBlock {
    const input = this.#json.length === 0 ? this.#block.input : parseInput(this.#json.take())
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same block with its input
    return { ...this.#block, input } as HubContentBlock
  }
}
