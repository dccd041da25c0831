/** A request to an upstream. */
export interface UpstreamCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Aborts the call, also before its answer begins. */
  readonly signal: AbortSignal
}

/** Hears the body of an upstream's answer. */
export interface BodyListener {
  /** The bytes belong to the listener: they are not changed afterwards. */
  data(bytes: Uint8Array): void
  end(): void
  error(error: Error): void
}

/** An upstream's answer from its status on; its body waits until there is a listener. */
export interface UpstreamAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  listen(listener: BodyListener): void
  pause(): void
  resume(): void
  abort(): void
}

/** How upstreams are called: with undici on Node, with `fetch` elsewhere. Redirects are never followed. */
export interface Transport {
  open(call: UpstreamCall): Promise<UpstreamAnswer>
  close(): Promise<void>
}
