import { MAX_ERROR_TEXT } from '@hydra/core'

/** The body of an error, read as far as it is of interest. */
export class ErrorText {
  readonly #decoder = new TextDecoder()
  #text = ''

  push(bytes: Uint8Array): void {
    if (!this.isFull) this.#text += this.#decoder.decode(bytes, { stream: true })
  }

  get isFull(): boolean {
    return this.#text.length >= MAX_ERROR_TEXT
  }

  get text(): string {
    return this.#text.slice(0, MAX_ERROR_TEXT)
  }
}
