import type { HeaderValues, Caller } from '@hydra/core'

/** The body of a request: as it came, or as the framework has parsed it already. */
export type RequestBody = { readonly bytes: Uint8Array } | { readonly value: unknown }

/** One request and the place its answer goes, whatever framework it came through. */
export interface Exchange<Native = unknown> {
  readonly method: string
  /** Below the mount point, beginning with a slash, without the query. */
  readonly path: string
  /** With its question mark, '' without one. */
  readonly query: string
  readonly headers: HeaderValues
  /** The framework's own request, for hooks. */
  readonly native: Native
  readonly reply: Responder
  /** Reads the body; one that is longer than the limit is an error. */
  readBody(limit: number): Promise<RequestBody>
  /** Parses a body of JSON, where the platform has a better way than the usual one. */
  readonly parse?: (bytes: Uint8Array) => unknown
}

/** An exchange of which it is known what dialect its client speaks. */
export interface DialectExchange<Native = unknown> extends Exchange<Native> {
  readonly caller: Caller
}

/** Where an answer is written to. */
export interface Responder {
  head(status: number, headers: Readonly<Record<string, string>>): void
  /** Writes a piece of the body; false asks to wait until the listener hears that it is through. */
  write(piece: string | Uint8Array): boolean
  end(piece?: string | Uint8Array): void
  /** Ends the answer and the connection, so that nobody waits for more. */
  close(piece?: string): void
  /** Who hears what becomes of the answer. */
  listener: ReplyListener | undefined
  /** The client is gone; whoever begins to listen late has to look here. */
  readonly isGone: boolean
}

/** Hears what becomes of an answer while it is written. */
export interface ReplyListener {
  /** A write that returned false is through. */
  drained(): void
  /** The client is gone before the answer was complete. */
  gone(): void
}
