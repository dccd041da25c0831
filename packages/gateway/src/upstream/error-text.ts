/** How much of an error's body is read, in characters. */
const MOST = 64 * 1024

/** The body of an error, read as far as it is of interest. */
export class ErrorText {
  readonly #decoder = new TextDecoder()
  #text = ''

  push(bytes: Uint8Array): void {
    if (!this.isFull) this.#text += this.#decoder.decode(bytes, { stream: true })
  }

  get isFull(): boolean {
    return this.#text.length >= MOST
  }

  get text(): string {
    return this.#text.slice(0, MOST)
  }
}
