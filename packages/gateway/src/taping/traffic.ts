import type { Cost, DialectName, HubUsage, Note } from '@hydra/core'
import type { ExchangeReport } from '../exchange/report.ts'

/** Writes down the traffic of a gateway. It must neither throw nor wait: recording never changes or delays traffic. */
export interface TrafficRecorder {
  /** A request came in; a recorder that does not want it returns nothing. */
  begin(client: RecordedClient): ExchangeTape | undefined
}

/** Who sent a request, as far as its headers tell. */
export interface RecordedClient {
  /** The client as it names itself, such as `claude-cli/2.1.325`. */
  readonly name: string
  /** The client's own name of its session. */
  readonly session: string | undefined
}

/** The head of a request as it goes over the wire. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The dialect that the client speaks. */
  readonly dialect?: DialectName
}

/** How an upstream is called: what a replay needs to translate in the same way. */
export interface RecordedVia {
  readonly upstream: string
  readonly dialect: DialectName
  readonly passthrough?: boolean
  /** The answer went through as it was, and the request but for what the target needs. */
  readonly relayed?: boolean
  readonly model?: string
  readonly toldModel?: string
  readonly profile?: string
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly messageId?: string
}

/** The record of one exchange: both legs, byte for byte, in the order in which things happened. */
export interface ExchangeTape {
  clientRequest(request: RecordedRequest, body: string | Uint8Array): void
  upstreamRequest(request: RecordedRequest, body: string | Uint8Array, via: RecordedVia): void
  upstreamHead(status: number, headers: RecordedRequest['headers']): void
  /** A piece as it was read. Its bytes must not be changed afterwards: they are read later. */
  upstreamData(bytes: Uint8Array): void
  /** What the piece led to is written; a recorder that has no use for it leaves it out. */
  upstreamHandled?(): void
  upstreamEnd(): void
  clientHead(status: number, headers: RecordedRequest['headers']): void
  /** A piece as it was written; what is said of bytes that were read holds here too. */
  clientData(piece: string | Uint8Array): void
  clientEnd(): void
  abort(by: 'client' | 'upstream' | 'proxy', reason?: string): void
  timeout(reason: string): void
  retry(reason: string, pause: number): void
  note(note: Note): void
  usage(usage: HubUsage): void
  /** What became of the exchange, before it is over; a recorder that has no use for it leaves it out. */
  report?(report: ExchangeReport): void
  /** The exchange is over; what it cost is said where prices are known here. */
  done(outcome: ExchangeReport['outcome'], cost?: Cost): void
}
