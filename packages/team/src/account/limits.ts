import type { ClientBudget, ClientLimits } from '@hydra/gateway'

/** How much may be used; what is absent is not limited. */
export type Limits = ClientLimits

/** What may be spent in a calendar period. */
export type Budget = ClientBudget

/** The length of a budget. */
export type Period = ClientBudget['per']

/** What a budget counts. */
export type Unit = ClientBudget['unit']

/** All periods, in the order in which accounts keep them. */
export const PERIODS: readonly Period[] = ['day', 'week', 'month']

/** One dollar in the unit of account. */
export const DOLLAR = 1_000_000_000

/** The largest limit, in tokens or requests, and in dollars: beyond it sums are not exact any more. */
export const MAX_LIMIT = 1_000_000_000_000
export const MAX_DOLLARS = 1_000_000

/** An amount as a person reads it. */
export function shownAmount(unit: Unit, amount: number): string {
  if (unit === 'tokens') return `${amount.toLocaleString('en-US')} tokens`
  const dollars = amount / DOLLAR
  // A cent hides what a single request costs.
  const digits = dollars !== 0 && Math.abs(dollars) < 1 ? 4 : 2
  return `$${dollars.toFixed(digits)}`
}

/** Whether there is anything to count for these limits. */
export function isUnlimited({ requestsPerMinute, tokensPerMinute, streams, budgets = [] }: Limits): boolean {
  return (
    [requestsPerMinute, tokensPerMinute, streams].every((one) => one === undefined) && budgets.length === 0
  )
}
