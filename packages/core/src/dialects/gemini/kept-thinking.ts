import { openGemini, type PackedBlock, packThinking, placeOf, unsealPart } from './thinking.ts'
import type { GeminiPart } from './wire.ts'

/**
 * Finds the place of each proof in an answer for a Gemini client. Google's own go back on the part that they came
 * with. All others, and thoughts without a proof, which some upstreams want back, go with the next call: its
 * signature is what every client keeps.
 */
export class ThinkingKeeper {
  #first: PackedBlock[] = []
  #before: PackedBlock[] = []
  #ofText: string | undefined
  #ofCall: string | undefined
  #hasSpoken = false

  /** Takes a block of thinking; gives the part that it is, if it is one. */
  add(block: PackedBlock): GeminiPart | undefined {
    const envelope = block.type === 'thinking' ? openGemini(block.signature) : undefined
    if (envelope === undefined) {
      if (this.#hasSpoken) this.#before.push(block)
      else this.#first.push(block)
      return undefined
    }
    switch (placeOf(envelope)) {
      case 'call':
        this.#ofCall = envelope.proof
        return undefined
      case 'text':
        this.#ofText = envelope.proof
        return undefined
      case 'part':
        return unsealPart(envelope)
      case 'alone':
        return { text: '', thought: true, thoughtSignature: envelope.proof }
    }
  }

  /** The signature of a text that begins. */
  text(): string | undefined {
    const own = this.#ofText
    this.#ofText = undefined
    this.#hasSpoken = true
    return own
  }

  /** The signature of a call. */
  call(): string | undefined {
    const own = this.#ofCall
    this.#ofCall = undefined
    this.#hasSpoken = true
    return own ?? this.#packed()
  }

  /** The signature of a part behind everything, where proofs are left. */
  close(): string | undefined {
    const own = this.#ofCall ?? this.#ofText
    if (own !== undefined) return own
    const isProven = [...this.#first, ...this.#before].some(hasProof)
    return isProven ? this.#packed() : undefined
  }

  #packed(): string | undefined {
    if (this.#first.length === 0 && this.#before.length === 0) return undefined
    const packed = packThinking({ first: this.#first, before: this.#before })
    this.#first = []
    this.#before = []
    return packed
  }
}

function hasProof(block: PackedBlock): boolean {
  return block.type === 'redacted_thinking' || block.signature !== ''
}
