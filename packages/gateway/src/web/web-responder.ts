import type { HubError } from '@hydra/core'
import { type ReplyListener, type Responder, tookNothing } from '../exchange/exchange.ts'

/** How much of an answer may wait for a slow reader, in bytes. */
const HIGH_WATER_MARK = 64 * 1024

/** Statuses whose answers must not have a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** What nginx calls a client that did not wait; the client does not see it. */
const CLIENT_GONE = 499

/** Writes an answer into a web-standard `Response`. */
export class WebResponder implements Responder {
  readonly response: Promise<Response>
  readonly #encoder = new TextEncoder()
  readonly #broken: () => void
  #resolve: (response: Response) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #isOver = false
  #breaksWhenRead = false
  #timer: ReturnType<typeof setTimeout> | undefined
  isGone = false
  patience: number = Infinity
  listener: ReplyListener | undefined

  constructor(signal: AbortSignal, broken: () => void = () => {}) {
    this.#broken = broken
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (signal.aborted) this.#leave()
    else signal.addEventListener('abort', () => this.#leave(), { once: true })
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.#isOver) return
    const body = BODILESS.has(status) ? null : this.#body()
    this.#resolve(new Response(body, { status, headers }))
  }

  write(piece: string | Uint8Array): boolean {
    if (this.#isOver) return true
    this.#controller?.enqueue(typeof piece === 'string' ? this.#encoder.encode(piece) : piece)
    const isReady = (this.#controller?.desiredSize ?? 1) > 0
    if (!isReady) this.#waitForClient()
    return isReady
  }

  end(piece?: string | Uint8Array): void {
    if (this.#isOver) return
    if (piece !== undefined && piece.length > 0) this.write(piece)
    this.#isOver = true
    this.#controller?.close()
  }

  close(piece?: string | Uint8Array): void {
    if (this.#isOver) return
    this.#broken()
    if (piece !== undefined) {
      this.end(piece)
      return
    }
    this.#isOver = true
    this.#controller?.error(new Error('the upstream broke off'))
  }

  breakOff(piece: string | Uint8Array): void {
    if (this.#isOver) return
    this.#broken()
    this.write(piece)
    this.#isOver = true
    this.#breaksWhenRead = true
    this.#breakWhenRead()
  }

  /** An error would throw away what waits for the reader, so it comes after that. */
  #breakWhenRead(): void {
    if (!this.#breaksWhenRead || this.#waitingBytes > 0) return
    this.#controller?.error(new Error('the upstream broke off'))
  }

  /** Nothing could be answered at all. */
  fail(error: unknown): void {
    this.#reject(error)
  }

  #body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => {
          this.#stopWaiting()
          this.#breakWhenRead()
          this.listener?.drained()
        },
        cancel: () => {
          this.#stopWaiting()
          this.#leave()
        },
      },
      { highWaterMark: HIGH_WATER_MARK, size: (chunk) => chunk?.byteLength ?? 0 },
    )
  }

  /** Looks from time to time whether anything of what waits was taken. */
  #waitForClient(waiting?: number): void {
    if (this.#timer !== undefined || this.patience === Infinity) return
    const left = this.#waitingBytes
    if (left === 0) return
    if (left === waiting) {
      this.#leave(tookNothing(this.patience))
      return
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#waitForClient(left)
    }, this.patience)
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  get #waitingBytes(): number {
    return HIGH_WATER_MARK - (this.#controller?.desiredSize ?? HIGH_WATER_MARK)
  }

  #leave(reason?: HubError): void {
    if (this.#isOver) {
      // The answer is complete, and its rest is not read.
      if (reason !== undefined) this.#controller?.error(reason)
      return
    }
    this.#isOver = true
    this.isGone = true
    // A reader that still waits for the answer must not wait for ever.
    this.#resolve(new Response(null, { status: CLIENT_GONE }))
    // Nor for more of it; but a server cancels the stream itself, and would log an error that comes before.
    setTimeout(() => this.#controller?.error(new DOMException('the client is gone', 'AbortError')))
    this.listener?.gone(reason)
  }
}
