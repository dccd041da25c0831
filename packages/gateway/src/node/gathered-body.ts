import type { BodyListener } from '../upstream/transport.ts'

const IGNORING: BodyListener = { data() {}, end() {}, error() {} }

/**
 * The body of an answer on its way to its listener. The parser tells each chunk of a chunked body by itself; those that
 * came with one read are handed on together here, so that they are translated once and written once. Nothing waits for
 * another read: an event that comes alone is handed on at once.
 */
export class GatheredBody {
  listener: BodyListener = IGNORING
  #pieces: Uint8Array[] = []
  #hasBegun = false
  /** More may come with the same read. */
  #isReading = false
  isPaused = false
  readonly #onReadOver = (): void => {
    this.#isReading = false
    this.#flush()
  }

  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    // Whether an answer has begun decides what becomes of a failure right behind its first event.
    if (!this.#hasBegun) {
      this.#hasBegun = true
      this.#flush()
      return
    }
    if (this.#isReading) return
    this.#isReading = true
    queueMicrotask(this.#onReadOver)
  }

  end(): void {
    this.resume()
    this.listener.end()
  }

  error(error: Error): void {
    this.resume()
    this.listener.error(error)
  }

  /** Nothing is handed on until `resume`. */
  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
    this.#flush()
  }

  /** Nobody wants it any more. */
  drop(): void {
    this.#pieces = []
  }

  #flush(): void {
    const pieces = this.#pieces
    if (pieces.length === 0 || this.isPaused) return
    this.#pieces = []
    this.listener.data(pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces))
  }
}
