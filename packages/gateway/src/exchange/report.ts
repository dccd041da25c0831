import type { AnsweredBy, ConversionTrace, Cost, DialectName, HubUsage, LoopTrip, Note } from '@hydra/core'
import type { AgentIdentity } from './agent.ts'

/** How a call went with one of an upstream's keys. */
export interface KeyAttempt {
  readonly upstream: string
  readonly label: string
  /** What the upstream refused it with; absent if it did not. */
  readonly status?: number | undefined
}

/** What became of one exchange: everything a log line needs, and no word of the conversation. */
export interface ExchangeReport {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Who called, where clients have keys of their own. */
  readonly identity?:
    | { readonly id: string; readonly name?: string | undefined; readonly owner?: string | undefined }
    | undefined
  /** The dialect that the client speaks. */
  readonly client: DialectName
  readonly agent: AgentIdentity
  readonly outcome: 'answered' | 'failed' | 'aborted'
  /** The HTTP status the client got, 0 if it was gone before. */
  readonly status: number
  readonly stream: boolean
  readonly route?: string | undefined
  readonly upstream?: string | undefined
  /** The model the client asked for, and the one that was called. */
  readonly clientModel?: string | undefined
  readonly upstreamModel?: string | undefined
  /** The model that the upstream says has answered, and its own id of the answer. */
  readonly answeredBy?: AnsweredBy | undefined
  /** Milliseconds from the request to the first byte of the answer, and to its end. */
  readonly firstByte?: number | undefined
  readonly duration: number
  readonly usage?: HubUsage | undefined
  /** The upstream did not say how much it used, or not all of it: the usage is our estimate. */
  readonly isEstimated?: boolean | undefined
  /** What it cost at list price, or why that is not known; absent where nothing was paid or nobody asked for prices. */
  readonly cost?: Cost | undefined
  readonly stopReason?: string | null | undefined
  readonly toolCalls: number
  readonly retries: number
  /** The keys that were tried, where an upstream has several: their labels, never the keys. */
  readonly keys?: readonly KeyAttempt[] | undefined
  readonly notes: readonly Note[]
  /** The loop that the conversation is in, if one was looked for and found: what repeats, and how often. */
  readonly loop?: Pick<LoopTrip, 'mode' | 'kind' | 'tool' | 'count'> | undefined
  /** What failed, in words that may be shown: no key, no prompt. */
  readonly error?: { readonly kind: string; readonly message: string } | undefined
  readonly trace?: ConversionTrace | undefined
}
