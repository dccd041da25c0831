/** Finds stop sequences in text that arrives in pieces, holding back what may be the beginning of one. */
export class StopMatcher {
  readonly #sequences: readonly string[]
  readonly #holdBack: number
  #held = ''

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences
    this.#holdBack = Math.max(...sequences.map((sequence) => sequence.length)) - 1
  }

  /** The sequence that was found; nothing more is wanted then. */
  matched: string | undefined

  /** The text that may go out now: all that is certainly before any stop sequence. */
  push(piece: string): string {
    const text = this.#held + piece
    const hit = this.#firstHit(text)
    if (hit !== undefined) {
      this.matched = hit.sequence
      this.#held = ''
      return text.slice(0, hit.at)
    }
    const certain = wholeCharacters(text, Math.max(0, text.length - this.#holdBack))
    this.#held = text.slice(certain)
    return text.slice(0, certain)
  }

  /** The text that was held back, now that nothing can complete it. */
  flush(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  #firstHit(text: string): { sequence: string; at: number } | undefined {
    let first: { sequence: string; at: number } | undefined
    for (const sequence of this.#sequences) {
      const at = text.indexOf(sequence)
      if (at !== -1 && (first === undefined || at < first.at)) first = { sequence, at }
    }
    return first
  }
}

/** The length of a beginning of the text that does not end in half a character. */
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1)
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length
}
