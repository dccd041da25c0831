import type { Account, Holding, Level } from './account.ts'
import type { Budget, Limits } from './limits.ts'
import { periodEnd } from './period.ts'

/** Why a request may not begin, with the numbers that decided it. */
export type Refusal = RateRefusal | BudgetRefusal

/** Too much at once: after `wait` milliseconds there is room again. */
export interface RateRefusal {
  readonly kind: 'requests' | 'tokens' | 'streams'
  readonly limit: number
  readonly used: number
  readonly wait: number
}

/** A budget does not reach for the request. */
export interface BudgetRefusal {
  readonly kind: 'budget'
  readonly budget: Budget
  readonly spent: number
  /** What requests under way have reserved. */
  readonly held: number
  /** What this request may cost. */
  readonly demand: number
  /** When the budget begins anew, in milliseconds since 1970. */
  readonly resetsAt: number
  /** How long to wait if it is only held by requests under way; absent if nothing but the reset helps. */
  readonly wait?: number
}

/** When a stream ends or settles is not known: a client that asks again after this long is not in the way. */
export const ASK_AGAIN = 5000

/** Rounding must not refuse what comes exactly when it was told to. */
export const TOLERANCE = 1e-6

/** Why an account, as it is now, has no room for a request; the reason that lasts longest, or none. */
export function refusalOf(
  account: Account,
  limits: Limits,
  { demand, now }: { readonly demand: Holding; readonly now: number },
): Refusal | undefined {
  const { requestsPerMinute, tokensPerMinute, streams, budgets = [] } = limits
  const refusals = [
    ...budgets.map((budget) => overBudget(account, budget, { demand, now })),
    overRate('requests', account.requests, { cost: 1, limit: requestsPerMinute }),
    overRate('tokens', account.tokens, { cost: demand.rate, limit: tokensPerMinute }),
    overStreams(account.held.count, streams),
  ].filter((one) => one !== undefined)
  return refusals.reduce<Refusal | undefined>(
    (worst, one) => (worst === undefined || waitOf(one) > waitOf(worst) ? one : worst),
    undefined,
  )
}

function waitOf({ wait = Infinity }: Refusal): number {
  return wait
}

interface Rate {
  readonly cost: number
  readonly limit: number | undefined
}

/** A request that is larger than the limit itself has to find an empty bucket; it is paid off afterwards. */
function overRate(
  kind: 'requests' | 'tokens',
  { used }: Level,
  { cost, limit }: Rate,
): RateRefusal | undefined {
  if (limit === undefined) return undefined
  const over = used + Math.min(cost, limit) - limit
  return over <= TOLERANCE ? undefined : { kind, limit, used, wait: Math.ceil((over * 60_000) / limit) }
}

function overStreams(count: number, limit: number | undefined): RateRefusal | undefined {
  if (limit === undefined || count < limit) return undefined
  return { kind: 'streams', limit, used: count, wait: ASK_AGAIN }
}

function overBudget(
  account: Account,
  budget: Budget,
  { demand: { [budget.unit]: demand }, now }: { readonly demand: Holding; readonly now: number },
): BudgetRefusal | undefined {
  const { per, unit, limit } = budget
  const spent = account.spent[per][unit]
  const held = account.held[unit]
  const isSpent = spent >= limit
  if (!isSpent && spent + held + demand <= limit) return undefined
  const isOnlyHeld = !isSpent && spent + demand <= limit
  return {
    kind: 'budget',
    budget,
    spent,
    held,
    demand,
    resetsAt: periodEnd(per, now),
    ...(isOnlyHeld && { wait: ASK_AGAIN }),
  }
}
