import type { BodyListener, Transport, UpstreamAnswer, UpstreamCall } from './transport.ts'

/** How a request is made; the runtime's own `fetch` is one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Calls upstreams with the runtime's own `fetch`, or with another one. */
export function fetchTransport(send: Fetch = (url, init) => fetch(url, init)): Transport {
  return {
    async open(call) {
      const response = await send(call.url, {
        method: 'POST',
        headers: call.headers,
        body: call.body as string,
        signal: call.signal,
        redirect: 'manual',
      })
      return new FetchAnswer(response, call)
    },
    async close() {},
  }
}

class FetchAnswer implements UpstreamAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #call: UpstreamCall
  #paused = false
  #resumed: () => void = () => {}

  constructor(response: Response, call: UpstreamCall) {
    this.status = response.status
    // `fetch` has decoded the body already.
    const { 'content-encoding': _, ...headers } = Object.fromEntries(response.headers)
    this.headers = headers
    this.#reader = response.body?.getReader()
    this.#call = call
  }

  listen(listener: BodyListener): void {
    this.#pump(listener).then(
      () => listener.end(),
      (error: unknown) => listener.error(error instanceof Error ? error : new Error(String(error))),
    )
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#resumed()
  }

  abort(): void {
    this.#reader?.cancel().catch(() => {})
    // The pump must not wait for a listener that has left.
    this.resume()
  }

  async #pump(listener: BodyListener): Promise<void> {
    while (this.#reader !== undefined) {
      // Reading one piece after the other is the point: it is what holds a fast upstream back.
      // oxlint-disable-next-line no-await-in-loop
      const { done, value } = await this.#reader.read()
      if (done) return
      this.#call.signal.throwIfAborted()
      listener.data(value)
      // oxlint-disable-next-line no-await-in-loop
      if (this.#paused) await new Promise<void>((resolve) => (this.#resumed = resolve))
    }
  }
}
