import type { HeaderValues, HubUsage, Note } from '@hydra/core'
import type { ExchangeReport, RecordedClient, RecordedRequest, RecordedVia } from '@hydra/gateway'
import type { TapedChunk } from '@hydra/tape'
import type { LiveAnswer, LiveEvent, ReportedFacts } from '../store/live-exchange.ts'

/** A request as it goes from one process to another. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HeaderValues
  readonly body: Uint8Array
}

/** What the process that shows exchanges has to know of a gateway in another one. */
export interface SentGateway {
  readonly routes: readonly string[]
  readonly models: readonly string[]
  readonly key?: string | undefined
  readonly hosts?: readonly string[] | undefined
}

/** What is new in an answer. */
export interface CopiedAnswer {
  readonly status: number | undefined
  readonly headers: RecordedRequest['headers']
  readonly at: number | undefined
  readonly ended: LiveAnswer['ended']
  /** The chunks that were not sent before. */
  readonly chunks: readonly TapedChunk[]
}

/** A request of an exchange; its body is sent once. */
export interface CopiedRequest {
  readonly at: number
  readonly head: RecordedRequest
  readonly body: Uint8Array
}

/** What is new in an exchange. */
export interface CopiedExchange {
  readonly request?: CopiedRequest | undefined
  /** Calls that were not sent before; the answers are of all of them. */
  readonly calls: readonly (CopiedRequest & { readonly via: RecordedVia })[]
  readonly answers: readonly CopiedAnswer[]
  readonly answer: CopiedAnswer
  readonly events: readonly LiveEvent[]
  readonly notes: readonly Note[]
  readonly counted: HubUsage | undefined
  readonly reported: ReportedFacts | undefined
  readonly cost: ExchangeReport['cost']
  readonly outcome: ExchangeReport['outcome'] | undefined
  readonly over: number | undefined
}

/** An exchange that began. */
export interface BegunCopy {
  readonly id: string
  readonly client: RecordedClient
  readonly begun: number
}

/** What a process that serves says to the one that shows. */
export type FromMember =
  | {
      readonly type: 'request'
      readonly id: number
      readonly request: SentRequest
      readonly gateway: SentGateway
    }
  | { readonly type: 'drained' | 'gone'; readonly id: number }
  /** The answer to a request that was to be sent again is over. */
  | { readonly type: 'asked'; readonly id: number }
  /** All exchanges that it keeps, the oldest first; what they say follows. */
  | { readonly type: 'begun'; readonly exchanges: readonly BegunCopy[] }
  | { readonly type: 'copy'; readonly id: string; readonly copy: CopiedExchange }
  | { readonly type: 'forgotten'; readonly id: string }

/** What the process that shows says to one that serves. */
export type ToMember = AboutRequest | { readonly type: 'watch' } | { readonly type: 'unwatch' }

/** What it says about a request; of the other two, `watch` is that somebody looks, and `unwatch` that nobody does. */
export type AboutRequest =
  | {
      readonly type: 'head'
      readonly id: number
      readonly status: number
      readonly headers: Record<string, string>
    }
  | { readonly type: 'write' | 'end'; readonly id: number; readonly piece?: string | Uint8Array | undefined }
  /** Sends a request again, for a page whose own request has the number `by`. */
  | {
      readonly type: 'ask'
      readonly id: number
      readonly by: number
      readonly request: SentRequest
      readonly route?: string | undefined
    }
