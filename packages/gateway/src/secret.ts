const HIDDEN = '[redacted]'

/** A key that cannot be printed by accident: it is private to the object, and only `reveal` gives it out. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }
}
