import type { Server } from 'node:http'
import type { GatewayOptions } from '@hydra/gateway'

/** How an adapter is to be mounted for a test. */
export interface Binding {
  /** The mount point, '' for the root; a parameter is written as `:name`. */
  readonly prefix: string
  /** Whether the framework's own body parser runs before the adapter. */
  readonly parsesBody: boolean
  readonly options: GatewayOptions
}

/** A server of the framework with the adapter in it, on a loopback port. */
export interface BoundServer {
  /** Where it listens, such as `http://127.0.0.1:40000`. */
  readonly origin: string
  /** Node's own server. */
  readonly server: Server
  /** Reads a header of the framework's own request, as hooks are given it. */
  headerOf(native: unknown, name: string): string | undefined
  /** Closes the server in the way its users are told to. */
  close(): Promise<void>
}

/**
 * Starts a server of the framework. Beside the adapter it has two routes of its own:
 * `GET /own`, which answers with the text `own`, and `POST /own/echo`, which answers with the JSON it was sent.
 */
export type Bind = (binding: Binding) => Promise<BoundServer>
