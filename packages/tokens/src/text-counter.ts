import { countText } from './count-text.ts'

/** How many characters of a prompt are counted exactly: a few hundredths of a second. */
const EXACT = 256 * 1024

/** Beyond them a sample represents this share of all that came before it. */
const SHARE = 1 / 64

const MAX_SAMPLE_LENGTH = 512

/** A shorter text says too little about those after it. */
const MIN_SAMPLE_LENGTH = 64

/**
 * Counts the texts of one prompt, one after the other. Behind the first quarter of a million characters they are
 * estimated from samples, whose number grows with the logarithm of the length only: a server that counts a prompt of
 * megabytes must not leave all others waiting.
 */
export class TextCounter {
  readonly #count: (text: string) => number
  #seen = 0
  /** Where the next sample is due, in characters from the beginning of the prompt. */
  #due = EXACT
  /** Tokens per character: of all that was counted exactly, then of the latest sample. */
  #density = 0

  constructor(count: (text: string) => number = countText) {
    this.#count = count
  }

  /** The tokens of the next text; those that are estimated may come to a fraction. */
  count(text: string): number {
    const head = text.length <= EXACT - this.#seen ? text : text.slice(0, Math.max(0, EXACT - this.#seen))
    const tokens = head === '' ? 0 : this.#countExactly(head)
    return head.length === text.length ? tokens : tokens + this.#estimate(text, head.length)
  }

  #countExactly(text: string): number {
    const tokens = this.#count(text)
    const before = this.#density * this.#seen
    this.#seen += text.length
    this.#density = (before + tokens) / this.#seen
    return tokens
  }

  #estimate(text: string, from: number): number {
    let tokens = 0
    let at = from
    while (at < text.length) {
      const left = text.length - at
      const isDue = this.#seen >= this.#due && left >= MIN_SAMPLE_LENGTH
      if (isDue) this.#sample(text.slice(at, at + MAX_SAMPLE_LENGTH))
      // Until the next sample; where that is due already, a better text than this one is waited for.
      const span = this.#seen >= this.#due ? left : Math.min(left, this.#due - this.#seen)
      tokens += span * this.#density
      this.#seen += span
      at += span
    }
    return tokens
  }

  #sample(text: string): void {
    this.#density = this.#count(text) / text.length
    this.#due = this.#seen + Math.ceil(this.#seen * SHARE)
  }
}
