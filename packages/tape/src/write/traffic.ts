import type { HubUsage, Note } from '@hydra/core'
import type { ExchangeEnd, TapeData, Via } from '../format/lines.ts'
import type { AnyHeaders } from '../redact/headers.ts'

/** Who sent a request, as far as its headers tell. */
export interface TapedClient {
  /** The client as it names itself, such as `claude-cli/2.1.325`. */
  readonly name: string
  /** The client's own name of its session. */
  readonly session: string | undefined
}

/** The head of a request as it goes over the wire. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  readonly headers: AnyHeaders
}

/** Takes down one exchange as it happens. Nothing here throws or waits. */
export interface ExchangeRecorder {
  clientRequest(request: RequestHead, body: string | Uint8Array): void
  upstreamRequest(request: RequestHead, body: string | Uint8Array, via: Via): void
  upstreamHead(status: number, headers: AnyHeaders): void
  /** A piece as it was read. Nobody may change its bytes afterwards: they are looked at later. */
  upstreamData(bytes: Uint8Array): void
  upstreamEnd(): void
  clientHead(status: number, headers: AnyHeaders): void
  /** A piece as it was written; what is said of bytes that were read holds here too. */
  clientData(piece: string | Uint8Array): void
  clientEnd(): void
  abort(by: TapeData['abort']['by'], reason?: string): void
  timeout(reason: string): void
  retry(reason: string, pause: number): void
  note(note: Note): void
  usage(usage: HubUsage): void
  /** The exchange is over; later calls write nothing. */
  done(outcome: ExchangeEnd['outcome']): void
}
