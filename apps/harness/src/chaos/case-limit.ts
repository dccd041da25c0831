import { UsageError, wholeNumber } from '@hydra/cli'

/** The first and the last two cases are never left to chance, so fewer make no sense. */
const LEAST = 4

/** The most cases of one kind that were asked for. */
export function caseLimit(typed: string | undefined, usual: number): number {
  const limit = wholeNumber('limit', typed, usual)
  if (limit >= LEAST) return limit
  throw new UsageError(`--limit: expected at least ${LEAST}, got '${typed}'`)
}
