import type { Cost, DialectName, HubUsage, Note } from '@hydra/core'
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
  /** The dialect that the client speaks. */
  readonly dialect?: DialectName
}

/** Records the traffic of a gateway: one tape for each session that a client names, one for everything else. */
export interface TrafficRecorder {
  /** A request came in. Undefined if it cannot be recorded; with the policy `strict` it throws a `TapeError` then. */
  begin(client: TapedClient): ExchangeRecorder | undefined
  /** What went wrong first; undefined while everything is recorded. */
  readonly failure: string | undefined
  /** Writes everything that was gathered. */
  flush(): void
  /** Closes all tapes; exchanges that are not over stay on them as interrupted. */
  close(): void
}

/** Records one exchange as it happens. Nothing here throws or waits. */
export interface ExchangeRecorder {
  clientRequest(request: RequestHead, body: string | Uint8Array): void
  upstreamRequest(request: RequestHead, body: string | Uint8Array, via: Via): void
  upstreamHead(status: number, headers: AnyHeaders): void
  /** A piece as it was read. */
  upstreamData(bytes: Uint8Array): void
  upstreamEnd(): void
  clientHead(status: number, headers: AnyHeaders): void
  /** A piece as it was written. */
  clientData(piece: string | Uint8Array): void
  clientEnd(): void
  abort(by: TapeData['abort']['by'], reason?: string): void
  timeout(reason: string): void
  retry(reason: string, pause: number): void
  note(note: Note): void
  usage(usage: HubUsage): void
  /** The exchange is over; later calls write nothing. */
  done(outcome: ExchangeEnd['outcome'], cost?: Cost): void
}
