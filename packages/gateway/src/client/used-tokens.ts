import { type AnswerSummary, totalUsage } from '@hydra/core'
import type { ExchangeReport } from '../exchange/report.ts'
import type { UsedTokens } from './limiter.ts'

/**
 * What an exchange used. Where it ended before the upstream said so, that is by length what was produced until then; a
 * client that left is settled for its prompt as well, which the upstream has read.
 */
export function usedTokens(
  { outcome, usage, upstream }: Pick<ExchangeReport, 'outcome' | 'usage' | 'upstream'>,
  summary: AnswerSummary | undefined,
  inputEstimate: number,
): UsedTokens {
  if (usage !== undefined) {
    const { input, output } = totalUsage(usage)
    return { input, output, usage }
  }
  const output = summary?.outputEstimate ?? 0
  const wasCalled = upstream !== undefined && (outcome === 'aborted' || output > 0)
  return wasCalled ? { input: inputEstimate, output } : { input: 0, output: 0 }
}
