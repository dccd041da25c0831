import type { Exchange } from '@hydra/gateway'
import { headersFor } from './respond.ts'

/** How long nothing may be said before a sign of life is sent, in milliseconds. */
const SIGN_OF_LIFE = 15_000

/** Server-sent events to one page. While the page does not read, `isReady` is false and the sender has to wait. */
export class Feed {
  readonly #exchange: Exchange
  readonly #onGone: () => void
  readonly #timer: NodeJS.Timeout
  #isOver = false
  isReady = true
  /** Called when a page that did not read has read everything. */
  onReady: () => void = () => {}

  constructor(exchange: Exchange, onGone: () => void) {
    this.#exchange = exchange
    this.#onGone = onGone
    const { reply } = exchange
    reply.listener = { drained: () => this.#drained(), gone: () => this.#leave() }
    reply.head(200, { ...headersFor('text/event-stream'), 'x-accel-buffering': 'no' })
    this.#timer = setInterval(() => this.#write(': here\n\n'), SIGN_OF_LIFE).unref()
    if (reply.isGone) this.#leave()
  }

  send(type: string, value: unknown): void {
    this.#write(`event: ${type}\ndata: ${JSON.stringify(value)}\n\n`)
  }

  end(): void {
    if (this.#isOver) return
    this.#leave()
    this.#exchange.reply.end()
  }

  #write(text: string): void {
    if (!this.#isOver) this.isReady = this.#exchange.reply.write(text)
  }

  #drained(): void {
    this.isReady = true
    this.onReady()
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#timer)
    this.#onGone()
  }
}
