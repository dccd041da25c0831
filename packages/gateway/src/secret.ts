const HIDDEN = '[redacted]'

/** Shorter ones are no secrets but placeholders such as `ollama`, and words of any text. */
const SHORTEST_HIDDEN = 8

/** A key that cannot be printed by accident: it is private to the object, and only `reveal` gives it out. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /** A text in which the key does not occur any more. */
  hideIn(text: string): string {
    return this.#value.length < SHORTEST_HIDDEN ? text : text.replaceAll(this.#value, HIDDEN)
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }
}
