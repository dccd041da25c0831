import type { Responder } from '../exchange/exchange.ts'

/** How much of an answer may wait for a slow reader, in bytes. */
const HIGH_WATER_MARK = 64 * 1024

/** Writes an answer into a web-standard `Response`. */
export class WebResponder implements Responder {
  readonly response: Promise<Response>
  readonly #encoder = new TextEncoder()
  #resolve: (response: Response) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #isOver = false
  drained: () => void = () => {}
  gone: () => void = () => {}

  constructor(signal: AbortSignal) {
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    signal.addEventListener('abort', () => this.#leave(), { once: true })
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.drained(),
        cancel: () => this.#leave(),
      },
      { highWaterMark: HIGH_WATER_MARK, size: (chunk) => chunk?.byteLength ?? 0 },
    )
    this.#resolve(new Response(body, { status, headers }))
  }

  write(piece: string | Uint8Array): boolean {
    if (this.#isOver) return true
    this.#controller?.enqueue(typeof piece === 'string' ? this.#encoder.encode(piece) : piece)
    return (this.#controller?.desiredSize ?? 1) > 0
  }

  end(piece?: string | Uint8Array): void {
    if (this.#isOver) return
    if (piece !== undefined && piece.length > 0) this.write(piece)
    this.#isOver = true
    this.#controller?.close()
  }

  close(piece?: string): void {
    if (piece !== undefined) {
      this.end(piece)
      return
    }
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.error(new Error('the upstream broke off'))
  }

  /** Nothing could be answered at all. */
  fail(error: unknown): void {
    this.#reject(error)
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.gone()
  }
}
