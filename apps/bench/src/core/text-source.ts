const WORDS =
  'the file reads a list of entries and returns each one as it comes so that nothing waits for the end of input ' +
  'const value = parse(text) if (value === undefined) return error; // see "notes" below\n  import { open } from ' +
  "'./store.ts'\n\tfor (const [key, item] of entries) total += item.length – größer als zuvor → ok"

/**
 * Text that looks like what agents send: words, code, quotes, line breaks, a few characters beyond ASCII.
 * The same on every run: the words are drawn by a small generator with a fixed seed.
 */
export class TextSource {
  readonly #words = WORDS.split(' ')
  #state = 20_260_101

  /** A whole number below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  word(): string {
    return this.#words[this.below(this.#words.length)] ?? ''
  }

  /** About this many characters. */
  text(length: number): string {
    const words: string[] = []
    for (let written = 0; written < length;) {
      const word = this.word()
      words.push(word)
      written += word.length + 1
    }
    return words.join(' ')
  }
}
