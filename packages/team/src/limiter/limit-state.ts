import type { LimitLevel, LimitState } from '@hydra/core'
import type { Level } from '../account/account.ts'
import type { Limits } from '../account/limits.ts'
import type { Look } from '../store/store.ts'

/** How far an account is from its rates, for the headers of an answer. */
export function limitState(
  { account, now }: Look,
  { requestsPerMinute, tokensPerMinute }: Limits,
): LimitState {
  return {
    requests: levelOf(account.requests, requestsPerMinute, now),
    tokens: levelOf(account.tokens, tokensPerMinute, now),
  }
}

function levelOf({ used }: Level, limit: number | undefined, now: number): LimitLevel | undefined {
  if (limit === undefined) return undefined
  const resetsIn = Math.ceil((used * 60_000) / limit)
  return {
    limit,
    remaining: Math.max(0, Math.floor(limit - used)),
    resetsIn,
    resetsAt: new Date(now + resetsIn).toISOString(),
  }
}
