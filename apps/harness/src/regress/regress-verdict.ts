import { countOf } from '@hydra/inspector/summary'
import type { Verdict } from '../verdict/verdict.ts'
import { countOutcomes, type RegressResult } from './regress-result.ts'

/** Whether everything is as expected, and the counts. A run in which nothing was looked at proves nothing. */
export function regressVerdict(result: RegressResult): Verdict {
  const { same, updated } = countOutcomes(result)
  const isIdle = same + updated === 0 && result.updated.length === 0
  const reason = summaryOf(result)
  if (isIdle && result.ok) return { passed: false, reason: `nothing was compared: ${reason}` }
  return { passed: result.ok && !result.isInterrupted, reason }
}

function summaryOf(result: RegressResult): string {
  const { same, different, updated, skipped } = countOutcomes(result)
  const troubled = result.tapes.filter(({ findings }) => findings.length > 0).length
  const parts = [
    countOf(result.tapes.length, 'tape'),
    `${countOf(same, 'exchange')} as expected`,
    ...(different > 0 ? [`${different} different`] : []),
    ...(updated > 0 ? [`${updated} updated`] : []),
    ...(skipped > 0 ? [`${skipped} left out`] : []),
    ...(troubled > 0 ? [`${countOf(troubled, 'tape')} with problems of their own`] : []),
    ...(result.isInterrupted ? ['stopped before the end'] : []),
  ]
  return parts.join(', ')
}
