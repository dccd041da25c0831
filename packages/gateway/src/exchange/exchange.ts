import { type Caller, type ClientDialect, type HeaderValues, HubError } from '@hydra/core'
import type { ClientIdentity } from '../client/client-identity.ts'

/** The body of a request: as it came, or as the framework has parsed it already. */
export type RequestBody =
  | {
      readonly bytes: Uint8Array
      /** The framework has undone its content-encoding already. */
      readonly isUnpacked?: boolean
    }
  | { readonly value: unknown }

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
  readonly parse?: (bytes: Uint8Array, client: ClientDialect) => unknown
}

/** An exchange of which it is known what dialect its client speaks. */
export interface DialectExchange<Native = unknown> extends Exchange<Native> {
  readonly caller: Caller
  /** Who sent it, if a hook has said so. */
  readonly identity?: ClientIdentity
}

/** Where an answer is written to. */
export interface Responder {
  head(status: number, headers: Readonly<Record<string, string>>): void
  /** Writes a piece of the body; false asks to wait until the listener is drained. */
  write(piece: string | Uint8Array): boolean
  end(piece?: string | Uint8Array): void
  /** Ends the answer and the connection, so that the client does not wait for more. */
  close(piece?: string | Uint8Array): void
  /** Writes the last piece and then breaks the connection, so that the client does not take the answer for whole. */
  breakOff(piece: string | Uint8Array): void
  /** How many milliseconds a client may take no byte of what waits for it before it is given up. */
  patience?: number
  /** The listener for what happens to the answer. */
  listener: ReplyListener | undefined
  /** The client is gone; a listener that is added late has to check this. */
  readonly isGone: boolean
}

/** Hears what becomes of an answer while it is written. */
export interface ReplyListener {
  /** A write that returned false is through. */
  drained(): void
  /** The client is gone before the answer was complete, or was given up for a reason of ours. */
  gone(reason?: HubError): void
}

/** Why a client is given up that does not read. */
export function tookNothing(patience: number): HubError {
  return new HubError('timeout_error', `the client took nothing of its answer for ${patience} ms`)
}
