import type { ConversionTrace, DialectName, HubUsage, LoopTrip, Note } from '@hydra/core'
import type { AgentIdentity } from './agent.ts'

/** What became of one exchange: everything a log line needs, and no word of the conversation. */
export interface ExchangeReport {
  readonly id: string
  readonly method: string
  readonly path: string
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
  /** Milliseconds from the request to the first byte of the answer, and to its end. */
  readonly firstByte?: number | undefined
  readonly duration: number
  readonly usage?: HubUsage | undefined
  readonly stopReason?: string | null | undefined
  readonly toolCalls: number
  readonly retries: number
  readonly notes: readonly Note[]
  /** The loop that the conversation is in, if one was looked for and found: what repeats, and how often. */
  readonly loop?: Pick<LoopTrip, 'mode' | 'kind' | 'tool' | 'count'> | undefined
  /** What failed, in words that may be shown: no key, no prompt. */
  readonly error?: { readonly kind: string; readonly message: string } | undefined
  readonly trace?: ConversionTrace | undefined
}
