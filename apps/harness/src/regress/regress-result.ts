/** What tapes are sent through: the translator in memory, or a server of a framework. */
export type Through = 'core' | 'express' | 'fastify' | 'hono'

/** Something that is not as it was. */
export interface Finding {
  /** What is wrong: the request to the upstream, the answer, the expected file, or the tape itself. */
  readonly about: 'request' | 'answer' | 'golden' | 'tape'
  readonly message: string
  readonly diff?: string
}

/** What became of one exchange. */
export interface ExchangeResult {
  readonly number: number
  readonly through: Through
  /** `skipped` is for what cannot be replayed, `updated` for an expected answer that was written. */
  readonly outcome: 'same' | 'different' | 'updated' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  readonly findings: readonly Finding[]
  /** Something that is no failure but should be known. */
  readonly remark?: string
}

/** What became of one tape. */
export interface TapeResult {
  readonly folder: string
  readonly exchanges: readonly ExchangeResult[]
  /** What is wrong with the tape as a whole. */
  readonly findings: readonly Finding[]
}

/** What became of all tapes. */
export interface RegressResult {
  readonly ok: boolean
  readonly tapes: readonly TapeResult[]
  /** The expected answers that were written or removed. */
  readonly updated: readonly string[]
  /** It was stopped before all tapes were looked at. */
  readonly isInterrupted: boolean
}

/** Counts the outcomes of all exchanges. */
export function countOutcomes({
  tapes,
}: Pick<RegressResult, 'tapes'>): Record<ExchangeResult['outcome'], number> {
  const counts = { same: 0, different: 0, updated: 0, skipped: 0 }
  for (const { exchanges } of tapes) for (const { outcome } of exchanges) counts[outcome] += 1
  return counts
}
